import type { ServerResponse } from 'node:http';
import { pegboard } from 'pegboard';
import type { Host } from 'pegboard/embed';
import type { Tabs } from '../bridge/tabs.ts';
import { followChats } from '../chat/follow-chats.ts';
import type { TurnViews } from '../chat/turn-views.ts';
import type { PageMessages } from '../store/page-messages.ts';
import type { CallDetails, LiveEvent, OpenQuestionRow } from '../wire.ts';
import { callsSince, followCalls, lastCalls } from './audit-feed.ts';
import { openCallFeed, type CallFeed } from './call-feed.ts';
import { eventId, maxKept, openStreams } from './streams.ts';

/** Calls that a page shows at once when it is opened. */
const firstCalls = 200;
/** Questions of other processes are only in the database. */
const questionsMs = 250;
/** A page that is loaded again finds the details of calls that it has shown. */
const lingerMs = 60_000;
/** A call's end is noted in the audit a moment before its row is sent. */
const clockSlackMs = 1_000;
/** Ids of calls of this process, which are in the audit too. */
const maxOwnIds = 10_000;

/** What pages are told without asking. Costs nothing while no page is open. */
export interface Live extends Disposable {
  /** Whether somebody has the page open. */
  readonly isOpen: boolean;
  /** Sends everything from now on, and what happened since `after`, the id of the last event that the browser got. */
  join(response: ServerResponse, session: string, after: string | undefined): Promise<void>;
  /** Nobody is signed in there any more. */
  leave(session: string): void;
  /** Of a call of this process; undefined when it is not kept. */
  details(id: string): CallDetails | undefined;
}

interface LiveParts {
  readonly messages: PageMessages;
  readonly turns: TurnViews;
  readonly tabs: Tabs;
}

export function openLive(host: Host, { messages, turns, tabs }: LiveParts): Live {
  const streams = openStreams();
  let watching: DisposableStack | undefined;
  let feed: CallFeed | undefined;
  let lingering: NodeJS.Timeout | undefined;
  const hello = (): LiveEvent => {
    return { type: 'hello', registry: host.registry.snapshot.version, program: pegboard };
  };

  const watch = (): void => {
    const ownIds = new Set<string>();
    const stack = new DisposableStack();
    feed = stack.use(
      openCallFeed(
        (row) => {
          ownIds.add(row.id);
          if (ownIds.size > maxOwnIds) ownIds.delete(ownIds.values().next().value!);
          streams.sendCall(row);
        },
        (text) => host.redact(text),
      ),
    );
    stack.use(followCalls(host.home, (row) => void (ownIds.has(row.id) || streams.sendCall(row))));
    stack.use(host.onChange(({ version }) => streams.send({ type: 'tools', registry: version })));
    stack.use(
      followQuestions(host, tabs, (open) => {
        if (streams.isOpen) streams.send({ type: 'questions', open });
      }),
    );
    stack.use(followChats(messages, streams, host.log));
    stack.use(turns.onEvent((event) => streams.send(event)));
    watching = stack;
  };
  const unwatch = (): void => {
    watching?.dispose();
    watching = undefined;
    feed = undefined;
  };

  const missed = (after: string | undefined): readonly LiveEvent[] => {
    const known = after === undefined ? undefined : streams.since(after);
    if (known) return known;
    // The browser is new, or the process that it has followed has ended: what ended meanwhile is in the audit.
    const { rows, before } =
      after === undefined
        ? { rows: lastCalls(host.home, firstCalls), before: 0 }
        : callsSince(host.home, eventId(after).at - clockSlackMs, maxKept);
    const own = rows.map((row) => feed?.row(row.id) ?? row);
    return [
      { type: 'calls', rows: [...own, ...(feed?.running() ?? [])] },
      ...(before > 0 ? [{ type: 'gap', rows: before } as const] : []),
    ];
  };

  return {
    get isOpen() {
      return streams.isOpen;
    },
    async join(response, session, after) {
      const open = await openQuestions(host, tabs);
      clearTimeout(lingering);
      if (!watching) watch();
      // Calls come first: their ids say that everything before them has arrived.
      const first = [...missed(after), hello(), { type: 'questions', open } as const];
      streams.join(response, session, first, () => {
        clearTimeout(lingering);
        if (!streams.isOpen) lingering = setTimeout(unwatch, lingerMs).unref();
      });
    },
    leave: (session) => streams.leave(session),
    details: (id) => feed?.details(id),
    [Symbol.dispose]() {
      clearTimeout(lingering);
      unwatch();
      streams[Symbol.dispose]();
    },
  };
}

/** Calls back with all open questions when one is new, over, or asked in another tab. */
function followQuestions(
  host: Host,
  tabs: Tabs,
  onChange: (open: readonly OpenQuestionRow[]) => void,
): Disposable {
  let known = '';
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const open = await openQuestions(host, tabs);
      const now = open.map(({ id, tab = '' }) => `${id} ${tab}`).join();
      if (now !== known) onChange(open);
      known = now;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => {
    look().catch((cause: unknown) => host.log.warn('the open questions could not be read', { cause }));
  }, questionsMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export const openQuestions = async (host: Host, tabs: Tabs): Promise<readonly OpenQuestionRow[]> =>
  (await host.questions.list()).map(({ unattended: _unattended, agent, ...question }) => {
    const tab = tabs.placeOf(question);
    return { ...question, ...(agent !== undefined && { agent }), ...(tab !== undefined && { tab }) };
  });
