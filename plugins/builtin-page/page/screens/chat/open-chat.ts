import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ChatEvent, ChatItem, ChatPage, TurnView } from '../../../chat/wire.ts';
import { get, messageOf } from '../../api.ts';
import { changes, chatListeners, connected } from '../../live/live.ts';
import { applyTurn } from './apply-turn.ts';

/** A chat as this page knows it. */
export interface OpenChat {
  readonly id: string;
  /** "web", "cli" …; undefined until it was read. */
  readonly source: ReadonlySignal<string | undefined>;
  readonly items: ReadonlySignal<readonly ChatItem[]>;
  /** Set while there are earlier items that were not read. */
  readonly earlier: ReadonlySignal<string | undefined>;
  readonly running: ReadonlySignal<TurnView | undefined>;
  /** Ids of messages that are not answered yet. */
  readonly waiting: ReadonlySignal<readonly string[]>;
  /** Why it could not be read. */
  readonly problem: ReadonlySignal<string | undefined>;
  read(): Promise<void>;
  readEarlier(): Promise<void>;
  /** Keeps it up to date until the returned function is called. */
  follow(): () => void;
}

/** Milliseconds between two looks at a conversation that another process may hold. */
const elsewhereMs = 5_000;

export function openChat(id: string): OpenChat {
  const source = signal<string | undefined>(undefined);
  const items = signal<readonly ChatItem[]>([]);
  const earlier = signal<string | undefined>(undefined);
  const running = signal<TurnView | undefined>(undefined);
  const waiting = signal<readonly string[]>([]);
  const problem = signal<string | undefined>(undefined);
  let reading: Promise<void> | undefined;
  let isOld = false;

  const takePage = (page: ChatPage): void => {
    const keys = new Set(page.items.map(({ key }) => key));
    const known = items.value;
    const goesOn = known.some(({ key }) => keys.has(key));
    const [first] = page.items;
    const before = goesOn && first ? known.filter(({ key, at }) => !keys.has(key) && at < first.at) : [];
    items.value = [...before, ...page.items];
    if (before.length === 0) earlier.value = page.earlier;
    // An event that came meanwhile may be newer than what was read.
    const now = running.value;
    const isOlder = now && page.running?.id === now.id && page.running.seq < now.seq;
    if (!isOlder) running.value = page.running;
    waiting.value = page.waiting;
    source.value = page.source;
  };
  const readOnce = async (): Promise<void> => {
    do {
      isOld = false;
      try {
        takePage(await get<ChatPage>(`chat/${id}`));
        problem.value = undefined;
      } catch (cause) {
        problem.value = messageOf(cause);
      }
    } while (isOld);
  };
  const read = (): Promise<void> => {
    isOld = true;
    return (reading ??= readOnce().finally(() => (reading = undefined)));
  };
  const take = (event: ChatEvent): void => {
    if (event.type === 'chats') return void (event.chats.includes(id) && read());
    const chat = event.type === 'turn' ? event.turn.chat : event.chat;
    if (chat !== id) return;
    // What is running stays on the screen until its answer has been read.
    if (event.type === 'turn-ended') return void read();
    const next = applyTurn(running.value, event);
    if (next === 'gap') void read();
    else running.value = next;
    if (event.turn.seq === 1) void read();
  };
  return {
    id,
    source,
    items,
    earlier,
    running,
    waiting,
    problem,
    read,
    async readEarlier() {
      const before = earlier.value;
      if (before === undefined) return;
      try {
        const page = await get<ChatPage>(`chat/${id}?before=${encodeURIComponent(before)}`);
        if (earlier.value !== before) return;
        const keys = new Set(items.value.map(({ key }) => key));
        items.value = [...page.items.filter(({ key }) => !keys.has(key)), ...items.value];
        earlier.value = page.earlier;
        problem.value = undefined;
      } catch (cause) {
        problem.value = messageOf(cause);
      }
    },
    follow() {
      chatListeners.add(take);
      const stop = effect(() => {
        void changes.value;
        if (connected.value !== false) void read();
      });
      const timer = setInterval(() => {
        const isElsewhere = source.value !== undefined && source.value !== 'web';
        if (isElsewhere && document.visibilityState === 'visible') void read();
      }, elsewhereMs);
      return () => {
        clearInterval(timer);
        chatListeners.delete(take);
        stop();
      };
    },
  };
}
