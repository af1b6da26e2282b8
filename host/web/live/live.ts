import type { ServerResponse } from 'node:http';
import type { Host } from '../../host.ts';
import type { CallDetails, LiveEvent, OpenQuestionRow } from '../wire.ts';
import { followCalls, lastCalls } from './audit-feed.ts';
import { openCallFeed, type CallFeed } from './call-feed.ts';
import { openStreams } from './streams.ts';

/** Calls that a page shows at once when it is opened. */
const firstCalls = 200;
/** Questions of other processes are only in the database. */
const questionsMs = 250;
/** A page that is loaded again finds the details of calls that it has shown. */
const lingerMs = 60_000;
/** Ids of calls of this process, which are in the audit too. */
const maxOwnIds = 10_000;

/** What pages are told without asking. Costs nothing while no page is open. */
export interface Live extends Disposable {
  /** `after`: see `Streams.join`. */
  join(response: ServerResponse, after: string | undefined): Promise<void>;
  /** Of a call of this process; undefined when it is not kept. */
  details(id: string): CallDetails | undefined;
}

export function openLive(host: Host): Live {
  const streams = openStreams();
  let watching: DisposableStack | undefined;
  let feed: CallFeed | undefined;
  let lingering: NodeJS.Timeout | undefined;
  const hello = (): LiveEvent => {
    return { type: 'hello', registry: host.registry.snapshot.version };
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
      followQuestions(host, (open) => {
        if (streams.isOpen) streams.send({ type: 'questions', open });
      }),
    );
    watching = stack;
  };
  const unwatch = (): void => {
    watching?.dispose();
    watching = undefined;
    feed = undefined;
  };

  return {
    async join(response, after) {
      clearTimeout(lingering);
      if (!watching) watch();
      const open = await openQuestions(host);
      const isNew = after === undefined;
      const calls: LiveEvent[] = isNew ? [{ type: 'calls', rows: lastCalls(host.home, firstCalls) }] : [];
      streams.join(response, after, [hello(), ...calls, { type: 'questions', open }], () => {
        if (!streams.isOpen) lingering = setTimeout(unwatch, lingerMs).unref();
      });
    },
    details: (id) => feed?.details(id),
    [Symbol.dispose]() {
      clearTimeout(lingering);
      unwatch();
      streams[Symbol.dispose]();
    },
  };
}

/** Calls back with all open questions when one is new or over. */
function followQuestions(host: Host, onChange: (open: readonly OpenQuestionRow[]) => void): Disposable {
  let known = '';
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const open = await openQuestions(host);
      const now = open.map(({ id }) => id).join();
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

export const openQuestions = async (host: Host): Promise<readonly OpenQuestionRow[]> =>
  (await host.questions.list()).map(
    ({ id, tool, message, detail, notes, choices, asker, agent, askedAt, expiresAt }) => ({
      id,
      tool,
      message,
      detail,
      notes,
      choices,
      asker,
      ...(agent !== undefined && { agent }),
      askedAt,
      expiresAt,
    }),
  );
