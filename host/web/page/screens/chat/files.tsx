import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ChatFile } from '../../../chat/wire.ts';
import { messageOf, request } from '../../api.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';

const maxBytes = 20 * 1024 * 1024;
const shownImages = /^image\/(?:png|jpeg|gif|webp|avif)$/;

/** Throws ApiError, and an Error for a file that is too large. */
export async function upload(file: File): Promise<ChatFile> {
  if (file.size > maxBytes)
    throw new Error(`${file.name} has more than 20 MB, and a file may have at most that.`);
  const query = new URLSearchParams({ name: file.name, type: file.type });
  const response = await request(`upload?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });
  return (await response.json()) as ChatFile;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

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
