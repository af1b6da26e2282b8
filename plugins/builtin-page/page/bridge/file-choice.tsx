import { useSignal } from '@preact/signals';
import { messageOf } from '../api.ts';
import { Problem } from '../parts/problem.tsx';
import { HiddenText } from '../parts/hidden-text.tsx';
import { sizeOf, upload } from '../parts/upload.ts';
import { Decline, type AnswerProps } from './decline.tsx';

/** Files of the person's own computer. They are sent when the person says so, and not before. */
export function FileChoice({ question: { id, multiple = false }, isBusy, say }: AnswerProps) {
  const chosen = useSignal<readonly File[]>([]);
  const problem = useSignal('');
  const isSending = useSignal(false);
  const send = async (): Promise<void> => {
    if (isSending.value || chosen.value.length === 0) return;
    isSending.value = true;
    problem.value = '';
    try {
      const files: string[] = [];
      for (const file of chosen.value) files.push((await upload(file)).id);
      say({ decision: 'answered', files });
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      isSending.value = false;
    }
  };
  const inputId = `files-${id}`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="field">
        <label for={inputId}>{multiple ? 'Files' : 'File'}</label>
        <input
          id={inputId}
          type="file"
          multiple={multiple}
          onChange={({ currentTarget: { files } }) => (chosen.value = [...(files ?? [])])}
        />
      </div>
      {chosen.value.length > 0 && (
        <ul class="files" aria-label="Chosen">
          {chosen.value.map((file) => (
            <li class="tag">
              <HiddenText text={file.name} /> {sizeOf(file.size)}
            </li>
          ))}
        </ul>
      )}
      <div class="row answers">
        <button
          type="submit"
          class="main"
          aria-disabled={isBusy || isSending.value || chosen.value.length === 0}
        >
          {isSending.value ? 'Sending…' : 'Send'}
        </button>
        <Decline isBusy={isBusy} say={say} />
      </div>
      <Problem text={problem.value} />
    </form>
  );
}
