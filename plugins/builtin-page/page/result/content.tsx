import { type Content, toJson } from 'pegboard/browser';
import { ForeignLink } from '../parts/link.tsx';
import { LongText } from '../parts/long-text.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { useBlobUrl } from './blob-url.ts';

export type TextView = 'text' | 'markdown';

/** A block of a result. Nothing in it is believed: no markup of a tool reaches the document. */
export function ContentBlock({ content, view }: { readonly content: Content; readonly view: TextView }) {
  switch (content.type) {
    case 'text':
      return view === 'markdown' ? (
        <Markdown text={content.text} />
      ) : (
        <LongText text={content.text} label="Text of the result" />
      );
    case 'image':
      return <Picture data={content.data} type={content.mimeType} />;
    case 'audio':
      return <Sound data={content.data} type={content.mimeType} />;
    case 'resource_link':
      return (
        <p>
          <ForeignLink href={content.uri}>{content.name}</ForeignLink>
        </p>
      );
    case 'resource': {
      const { uri, text } = content.resource;
      return (
        <>
          <p class="quiet mono">{uri}</p>
          <LongText text={typeof text === 'string' ? text : toJson(content.resource, 2)} label={uri} />
        </>
      );
    }
    default:
      return <LongText text={toJson(content, 2)} />;
  }
}

/** SVG may hold scripts and addresses. */
const shownImages = /^image\/(?:png|jpeg|gif|webp|avif)$/;

function Picture({ data, type }: { readonly data: string; readonly type: string }) {
  const url = useBlobUrl(data, shownImages.test(type) ? type : '');
  if (!shownImages.test(type)) return <p class="quiet">An image of the type {type}, which is not shown.</p>;
  if (url === null) return <p class="bad">This image can’t be read.</p>;
  return url === undefined ? <p class="quiet">Loading…</p> : <img src={url} alt="From the tool" />;
}

function Sound({ data, type }: { readonly data: string; readonly type: string }) {
  const url = useBlobUrl(data, /^audio\/[\w.+-]+$/.test(type) ? type : 'audio/mpeg');
  if (url === null) return <p class="bad">This sound can’t be read.</p>;
  return url === undefined ? (
    <p class="quiet">Loading…</p>
  ) : (
    <audio controls src={url} aria-label="From the tool" />
  );
}
