import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { OpenQuestionRow } from '../../wire.ts';
import { questions } from '../live/live.ts';
import { whoAsks } from '../parts/asker.ts';
import { HiddenText } from '../parts/hidden-text.tsx';
import { answer } from './answer.ts';
import { Answers } from './answers.tsx';
import { close, mayAsk, shownHere } from './notifications.ts';
import { thisTab } from './this-tab.ts';

/** Dialogs and notifications of bridge tools that are shown in this tab, over whatever screen is open. */
export function Bridge() {
  const asked = questions.value?.find(
    ({ kind, tab }) => tab === thisTab && (kind === 'dialog' || kind === 'files'),
  );
  return (
    <>
      {asked && <Dialog key={asked.id} question={asked} />}
      <Notifications />
    </>
  );
}

function Dialog({ question }: { readonly question: OpenQuestionRow }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const at = dialog.current!;
    at.showModal();
    return () => at.close();
  }, []);
  const { id, message, tool } = question;
  const [head = '', ...said] = message.split('\n');
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`dialog-${id}`}
      onCancel={(event) => {
        event.preventDefault();
        // A failure stands on its card in Approvals, where it stays open.
        answer(question, { decision: 'no' }).catch(() => {});
      }}
    >
      <h2 id={`dialog-${id}`}>
        <HiddenText text={head} />
      </h2>
      {said.length > 0 && (
        <pre class="said">
          <HiddenText text={said.join('\n')} />
        </pre>
      )}
      <Answers question={question} />
      <p class="quiet">
        <span class="mono">{tool}</span> · asked by <HiddenText text={whoAsks(question)} />
      </p>
    </dialog>
  );
}

function Notifications() {
  const canAsk = useSignal(mayAsk());
  if (shownHere.value.length === 0) return null;
  return (
    <section class="notifications" aria-label="Notifications">
      {shownHere.value.map(({ id, message, tool }) => {
        const [head = '', ...said] = message.split('\n');
        return (
          <div class="sheet" key={id} role="status">
            <strong>
              <HiddenText text={head} />
            </strong>
            {said.length > 0 && (
              <p>
                <HiddenText text={said.join('\n')} />
              </p>
            )}
            <p class="row quiet">
              <span class="mono">{tool}</span>
              <span class="grow" />
              {canAsk.value && (
                <button
                  type="button"
                  class="small"
                  onClick={() => void Notification.requestPermission().then(() => (canAsk.value = mayAsk()))}
                >
                  Show them on the desktop
                </button>
              )}
              <button type="button" class="small" onClick={() => close(id)}>
                Close
              </button>
            </p>
          </div>
        );
      })}
    </section>
  );
}
