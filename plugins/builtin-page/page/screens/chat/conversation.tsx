import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ChatItem, ChatList, ChatRow } from '../../../chat/wire.ts';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Offline } from '../../parts/offline.tsx';
import { cards } from '../approvals/cards.ts';
import { QuestionCard } from '../approvals/question-card.tsx';
import { Composer } from './composer.tsx';
import { Item, Running } from './items.tsx';
import { openChat, type OpenChat } from './open-chat.ts';
import { placeOf } from './places.ts';

interface Props {
  readonly id: string;
  readonly row: ChatRow | undefined;
  readonly commands: ChatList['commands'];
}

/** Pixels from the end within which new text is followed. */
const nearEnd = 80;
/** Pixels from the beginning at which earlier messages are read. */
const nearBeginning = 400;

/** A chat with everything in it, and where the next message is written. */
export function Conversation({ id, row, commands }: Props) {
  const chat = useMemo(() => openChat(id), [id]);
  useEffect(() => chat.follow(), [chat]);
  const source = chat.source.value ?? row?.source ?? 'web';
  const isLoaded = chat.source.value !== undefined;
  return (
    <>
      <header class="chat-head">
        <h2 class="cut">
          <HiddenText text={row?.opening.split('\n', 1)[0] || 'Chat'} />
        </h2>
        {source !== 'web' && <span class="tag">{placeOf(source)}</span>}
      </header>
      <div class="notices">
        {isLoaded && <Offline />}
        {chat.problem.value !== undefined && (
          <Broken
            what="This chat could not be read."
            why={chat.problem.value}
            again={() => void chat.read()}
          />
        )}
      </div>
      <Transcript chat={chat} isLoaded={isLoaded} />
      {source === 'web' ? (
        <Composer
          chat={id}
          isRunning={chat.running.value !== undefined || chat.waiting.value.length > 0}
          commands={commands}
          onSent={() => void chat.read()}
        />
      ) : (
        <p class="elsewhere quiet">
          This conversation is held {placeOf(source) === source ? `by ${source}` : `in ${placeOf(source)}`}:
          it can be read here, and goes on there.
        </p>
      )}
      <p class="for-readers" role="status">
        {chat.running.value ? 'An answer is being written.' : ''}
      </p>
    </>
  );
}

function Transcript({ chat, isLoaded }: { readonly chat: OpenChat; readonly isLoaded: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const place = useRef({ follows: true, height: 0, first: '' });
  const items = chat.items.value;
  const running = chat.running.value;
  const waiting = new Set(chat.waiting.value);
  const asked = new Set(items.flatMap((item) => (item.kind === 'asked' ? [item.question] : [])));
  const questions = cards.value.filter(
    ({ question, verdict }) => question.asker === `web/${chat.id}` && !(verdict && asked.has(question.id)),
  );
  /** Written while another message is answered. */
  const isQueued = (item: ChatItem): boolean =>
    running !== undefined &&
    item.kind === 'said' &&
    item.id !== undefined &&
    item.id !== running.answers &&
    waiting.has(item.id);
  // A stored answer takes the place of the running one.
  const isStored = items.some((item) => item.kind === 'answer' && item.message === running?.message);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const first = items[0]?.key ?? '';
    const { follows, height, first: before } = place.current;
    if (follows) element.scrollTop = element.scrollHeight;
    // Earlier messages came in above: what is read stays where it is.
    else if (before !== '' && first !== before && element.scrollTop < height)
      element.scrollTop += element.scrollHeight - height;
    place.current = { follows, height: element.scrollHeight, first };
  });
  useEffect(() => {
    const element = scroller.current!;
    // A picture was loaded, a result was opened, or the window became smaller.
    const observer = new ResizeObserver(() => {
      if (place.current.follows) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    observer.observe(element.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  const onScroll = (): void => {
    const element = scroller.current!;
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
    place.current.follows = rest < nearEnd;
    if (element.scrollTop < nearBeginning && chat.earlier.value !== undefined) void chat.readEarlier();
  };
  return (
    <div
      class="transcript"
      ref={scroller}
      onScroll={onScroll}
      tabIndex={0}
      role="region"
      aria-label="Messages"
    >
      <div class="column">
        {chat.earlier.value !== undefined && (
          <button type="button" class="small" onClick={() => void chat.readEarlier()}>
            Earlier messages
          </button>
        )}
        {!isLoaded && chat.problem.value === undefined && <p class="quiet">Loading…</p>}
        {items
          .filter((item) => !isQueued(item))
          .map((item) => (
            <Item key={item.key} item={item} chat={chat.id} isQueued={false} />
          ))}
        {running && !isStored && <Running turn={running} />}
        {questions.map((card) => (
          <QuestionCard key={card.question.id} card={card} />
        ))}
        {items.filter(isQueued).map((item) => (
          <Item key={item.key} item={item} chat={chat.id} isQueued />
        ))}
      </div>
    </div>
  );
}
