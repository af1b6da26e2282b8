import { useSignal } from '@preact/signals';
import { type Choice, choiceLabels } from 'pegboard/browser';
import type { AnswerItem, AskedItem, ChatItem, NoteItem, SaidItem, TurnView } from '../../../chat/wire.ts';
import { messageOf, post } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { ForeignLink } from '../../parts/link.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { shortTime } from '../../parts/time.ts';
import { Calls } from './calls.tsx';
import { Files } from './files.tsx';

interface Props {
  readonly item: ChatItem;
  readonly chat: string;
  /** It waits until another message has been answered. */
  readonly isQueued: boolean;
}

export function Item({ item, chat, isQueued }: Props) {
  switch (item.kind) {
    case 'said':
      return <Said item={item} isQueued={isQueued} />;
    case 'answer':
      return <Answer item={item} />;
    case 'note':
      return <Note item={item} chat={chat} />;
    case 'asked':
      return <Asked item={item} />;
  }
}

function Said({
  item: { text, files, images, at },
  isQueued,
}: {
  readonly item: SaidItem;
  readonly isQueued: boolean;
}) {
  return (
    <article class="turn said" aria-label="You">
      {text !== '' && (
        <p class="bubble" dir="auto">
          <HiddenText text={text} />
        </p>
      )}
      <Files files={files} />
      <p class="when">
        {images !== undefined && `${images === 1 ? '1 image' : `${images} images`} · `}
        {isQueued ? 'waits for the answer before it' : shortTime(Date.parse(at))}
      </p>
    </article>
  );
}

function Answer({ item }: { readonly item: AnswerItem }) {
  const { text, calls, agent, at, stopped, isInterrupted, untrusted } = item;
  return (
    <article class="turn answer" aria-label={`Answer of ${agent}`}>
      <Calls calls={calls} />
      {text !== '' && <Markdown text={text} />}
      {stopped === 'cancelled' && <p class="quiet">Stopped.</p>}
      {isInterrupted && (
        <p class="warn">This turn was interrupted{stopped !== undefined && `: ${stopped}`}.</p>
      )}
      <p class="when">
        {agent} · {shortTime(Date.parse(at))}
        {untrusted.length > 0 && (
          <>
            {' '}
            · has read{' '}
            <span title={untrusted.join('\n')}>
              <HiddenText text={untrusted[0]!.slice(0, 80)} />
              {untrusted.length > 1 && ` and ${untrusted.length - 1} more`}
            </span>
          </>
        )}
      </p>
    </article>
  );
}

/** The turn that runs, laid out as its answer will be. */
export function Running({ turn }: { readonly turn: TurnView }) {
  const { text, thinking, calls, agent, notice } = turn;
  const isCalling = calls.some(({ result }) => result === undefined);
  return (
    <article class="turn answer" aria-label={`Answer of ${agent}, being written`} aria-busy="true">
      <Calls calls={calls} />
      {text.trim() !== '' && <Markdown text={text.trimStart()} />}
      {notice !== undefined && (
        <p class="quiet">
          <HiddenText text={notice} />
        </p>
      )}
      <p class="when busy">
        {agent}{' '}
        {isCalling ? 'waits for a call' : thinking !== '' && text === '' ? 'is thinking' : 'is writing'}
        <span class="dots" aria-hidden="true" />
      </p>
    </article>
  );
}

function Note({ item, chat }: { readonly item: NoteItem; readonly chat: string }) {
  const { id, text, files, blocks, buttons = [], link, at } = item;
  const isBusy = useSignal(false);
  const problem = useSignal('');
  const press = async (data: string): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = '';
    try {
      await post(`chat-press/${chat}`, { message: id, data });
    } catch (cause) {
      problem.value = messageOf(cause);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <article class={blocks ? 'turn note sheet ask' : 'turn note'} aria-label="Pegboard">
      {blocks
        ? blocks.map((block) =>
            block.kind === 'quote' || block.kind === 'code' ? (
              <pre tabIndex={0} role="region" aria-label="Words of somebody else">
                <HiddenText text={block.text} />
              </pre>
            ) : (
              <p class={block.kind === 'label' ? 'mono' : ''}>
                <HiddenText text={block.text} />
              </p>
            ),
          )
        : text !== '' && <Markdown text={text} />}
      <Files files={files} />
      {link !== undefined && (
        <p>
          <ForeignLink href={link} isShown>
            {link}
          </ForeignLink>
        </p>
      )}
      {buttons.length > 0 && (
        <div class="row answers">
          {buttons.map(({ label, data }) => (
            <button type="button" aria-disabled={isBusy.value} onClick={() => void press(data)}>
              <HiddenText text={label} />
            </button>
          ))}
        </div>
      )}
      <Problem text={problem.value} />
      <p class="when">{shortTime(Date.parse(at))}</p>
    </article>
  );
}

function Asked({ item: { tool, message, decision, by, at } }: { readonly item: AskedItem }) {
  const isDenied = decision === 'no';
  const what =
    decision === undefined
      ? 'nobody answered: not run'
      : isDenied
        ? 'denied'
        : (choiceLabels[decision as Choice] ?? decision).toLowerCase().replace(/^allow/, 'allowed');
  return (
    <article class="turn asked" aria-label={`Question about ${tool}`}>
      <p>
        <HiddenText text={message} />
      </p>
      <p class="when">
        <strong class={decision === undefined ? 'quiet' : isDenied ? 'bad' : 'good'}>{what}</strong>
        {by !== undefined && ` by ${by === 'the page' ? 'you, on the page' : by}`} ·{' '}
        {shortTime(Date.parse(at))}
      </p>
    </article>
  );
}
