import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChatList } from '../../../chat/wire.ts';
import { messageOf, post } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { go } from '../../router.ts';
import { sizeOf, upload } from '../../parts/upload.ts';
import { change, newChat, send, unsentIn } from './unsent.ts';

interface Props {
  readonly chat: string;
  readonly isRunning: boolean;
  readonly commands: ChatList['commands'];
  /** Called when a message is on the host's disk. */
  readonly onSent: () => void;
}

/** Where messages are written. What is typed stays until the host has it. */
export function Composer({ chat, isRunning, commands, onSent }: Props) {
  const unsent = unsentIn(chat);
  const isSending = useSignal(false);
  const uploads = useSignal(0);
  const problem = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // On a touch screen it would open the keyboard.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [chat]);
  const { text, files } = unsent.value;
  const isEmpty = text.trim() === '' && files.length === 0;

  const submit = async (): Promise<void> => {
    if (isSending.value || isEmpty || uploads.value > 0) return;
    isSending.value = true;
    problem.value = '';
    try {
      const to = await send(chat);
      if (chat === newChat) go(`/chat/${to}`);
      else onSent();
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      isSending.value = false;
      field.current?.focus();
    }
  };
  const attach = async (chosen: readonly File[]): Promise<void> => {
    problem.value = '';
    uploads.value += chosen.length;
    for (const file of chosen) {
      try {
        const uploaded = await upload(file);
        change(chat, { files: [...unsent.value.files, uploaded] });
      } catch (cause) {
        problem.value = messageOf(cause);
      } finally {
        uploads.value--;
      }
    }
  };
  const stop = (): void => {
    post(`chat-stop/${chat}`, {}).catch((cause: unknown) => (problem.value = messageOf(cause)));
  };
  const fitting = /^\/\w*$/.test(text)
    ? commands.filter(({ command }) => `/${command}`.startsWith(text))
    : [];
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attach([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {fitting.length > 0 && (
        <ul class="commands" aria-label="Commands">
          {fitting.map(({ command, description }) => (
            <li>
              <button type="button" class="plain" onClick={() => change(chat, { text: `/${command}` })}>
                <b class="mono">/{command}</b> {description}
              </button>
            </li>
          ))}
        </ul>
      )}
      {(files.length > 0 || uploads.value > 0) && (
        <ul class="files" aria-label="Attached">
          {files.map((file) => (
            <li key={file.id} class="tag">
              <HiddenText text={file.name} /> {sizeOf(file.bytes)}
              <button
                type="button"
                class="plain"
                aria-label={`Remove ${file.name}`}
                onClick={() => change(chat, { files: files.filter(({ id }) => id !== file.id) })}
              >
                ×
              </button>
            </li>
          ))}
          {uploads.value > 0 && <li class="quiet">Uploading…</li>}
        </ul>
      )}
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        placeholder="Message  ( / for commands )"
        value={text}
        onInput={(event) => change(chat, { text: event.currentTarget.value })}
        onPaste={(event) => {
          const pasted = [...(event.clipboardData?.files ?? [])];
          if (pasted.length === 0) return;
          event.preventDefault();
          void attach(pasted);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          // On phones the key has no other use than a new line.
          if (matchMedia('(pointer: coarse)').matches) return;
          event.preventDefault();
          void submit();
        }}
      />
      <div class="row">
        <button type="button" class="small" onClick={() => chooser.current?.click()}>
          Attach
        </button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            void attach(chosen);
          }}
        />
        <span class="quiet keys">Enter sends, Shift+Enter begins a line</span>
        <span class="grow" />
        {isRunning && (
          <button type="button" class="no" onClick={stop}>
            Stop
          </button>
        )}
        <button type="submit" class="main" aria-disabled={isEmpty || isSending.value || uploads.value > 0}>
          {isSending.value ? 'Sending…' : 'Send'}
        </button>
      </div>
      <Problem text={problem.value} />
    </form>
  );
}
