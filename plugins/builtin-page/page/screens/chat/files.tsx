import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ChatFile } from '../../../chat/wire.ts';
import { messageOf, request } from '../../api.ts';
import { shownImages } from '../../../chat/shown-images.ts';
import { sizeOf } from '../../parts/upload.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';

export function Files({ files }: { readonly files: readonly ChatFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.id}>
          {shownImages.test(file.type) ? <Picture file={file} /> : <Download file={file} />}
        </li>
      ))}
    </ul>
  );
}

/** An address of the file's bytes in this page. */
async function addressOf({ id, type }: ChatFile): Promise<string> {
  const bytes = await (await request(`chat-file/${id}`)).arrayBuffer();
  return URL.createObjectURL(
    new Blob([bytes], { type: shownImages.test(type) ? type : 'application/octet-stream' }),
  );
}

function Picture({ file }: { readonly file: ChatFile }) {
  const url = useSignal<string | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    let isGone = false;
    addressOf(file).then(
      (made) => (isGone ? URL.revokeObjectURL(made) : void (url.value = made)),
      (cause: unknown) => (problem.value = messageOf(cause)),
    );
    return () => {
      isGone = true;
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
    };
  }, [file.id]);
  if (problem.value !== '') return <p class="quiet">{problem.value}</p>;
  return (
    <figure>
      {url.value === undefined ? (
        <span class="quiet">Loading…</span>
      ) : (
        <img src={url.value} alt={file.name} onError={() => (problem.value = 'This image can’t be shown.')} />
      )}
      <figcaption>
        <Download file={file} />
      </figcaption>
    </figure>
  );
}

function Download({ file }: { readonly file: ChatFile }) {
  const problem = useSignal('');
  const download = async (): Promise<void> => {
    problem.value = '';
    try {
      const url = await addressOf(file);
      const link = document.createElement('a');
      link.href = url;
      link.download = file.name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (cause) {
      problem.value = messageOf(cause);
    }
  };
  return (
    <>
      <button
        type="button"
        class="small file"
        onClick={() => void download()}
        aria-label={`Download ${file.name}`}
      >
        <HiddenText text={file.name} /> <span class="quiet">{sizeOf(file.bytes)}</span>
      </button>
      {problem.value !== '' && (
        <span class="bad" role="alert">
          {' '}
          {problem.value}
        </span>
      )}
    </>
  );
}
