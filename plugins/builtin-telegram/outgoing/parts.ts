import type { Content } from 'pegboard';
import type { ReactionEmoji } from '../tools/reactions.ts';
import { toChunks } from './chunks.ts';
import { readMarkdown } from './markdown.ts';
import { plainOf, toHtml } from './styled-text.ts';

/** One thing that is done in a chat, as it is kept until it is done. */
export type OutgoingPart = Deed & {
  /** "part 2 of 5 of this answer", where it is sent again without the others. */
  readonly called?: string;
};

type Deed =
  | {
      readonly kind: 'text';
      readonly html: string;
      /** Sent instead when Telegram can't parse the HTML. */
      readonly plain: string;
      readonly replyTo?: number;
      /** The message that becomes this one, instead of a new one. */
      readonly edits?: number;
      /** The stored answer that begins with it. */
      readonly answer?: number;
    }
  | {
      readonly kind: 'photo' | 'document';
      readonly name: string;
      /** base64 */
      readonly data: string;
      readonly replyTo?: number;
    }
  | { readonly kind: 'react'; readonly message: number; readonly emoji: ReactionEmoji }
  | { readonly kind: 'delete'; readonly message: number };

/** Markdown as messages. Only the first replies, and only the first may take the place of a draft. */
export function textParts(
  markdown: string,
  {
    replyTo,
    edits,
    answer,
  }: {
    readonly replyTo?: number | undefined;
    readonly edits?: number | undefined;
    readonly answer?: number | undefined;
  } = {},
): OutgoingPart[] {
  return toChunks(readMarkdown(markdown)).map((chunk, index) => ({
    kind: 'text',
    html: toHtml(chunk),
    plain: plainOf(chunk),
    ...(index === 0 && replyTo !== undefined && { replyTo }),
    ...(index === 0 && edits !== undefined && { edits }),
    ...(index === 0 && answer !== undefined && { answer }),
  }));
}

/** Bytes: what Telegram takes of photos, and of other files. */
const maxPhotoBytes = 10 * 1024 * 1024;
const maxFileBytes = 50 * 1024 * 1024;

/** Images and files, as far as Telegram takes them; what it doesn't is said in words. */
export function fileParts(content: readonly Content[]): OutgoingPart[] {
  return content.flatMap((block): OutgoingPart[] => {
    const file = toFile(block);
    if (!file) return [];
    const bytes = Buffer.byteLength(file.data, 'base64');
    if (bytes === 0 || bytes > maxFileBytes) {
      const why = bytes === 0 ? 'is empty' : 'is larger than the 50 MB that Telegram takes';
      return textParts(`(The file ${file.name} ${why}.)`);
    }
    const asPhoto = /^image\/(png|jpe?g|webp)$/.test(file.mimeType) && bytes <= maxPhotoBytes;
    return [{ kind: asPhoto ? 'photo' : 'document', name: file.name, data: file.data }];
  });
}

interface OutgoingFile {
  readonly name: string;
  readonly mimeType: string;
  readonly data: string;
}

function toFile(block: Content): OutgoingFile | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    const { data, mimeType } = block;
    return { name: `${block.type}.${mimeType.split('/')[1]?.replace(/\W.*$/, '') ?? 'bin'}`, mimeType, data };
  }
  if (block.type !== 'resource') return undefined;
  const {
    uri,
    text,
    blob,
    mimeType = '',
  } = block.resource as {
    readonly uri: string;
    readonly text?: string;
    readonly blob?: string;
    readonly mimeType?: string;
  };
  const name = uri.split(/[?#]/)[0]!.split('/').at(-1) || 'file';
  if (typeof blob === 'string') return { name, mimeType, data: blob };
  return typeof text === 'string'
    ? { name, mimeType, data: Buffer.from(text).toString('base64') }
    : undefined;
}
