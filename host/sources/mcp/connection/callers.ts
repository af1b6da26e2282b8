import type { Peer } from '../../../api/mcp/peer.ts';
import type { ElicitationTarget } from '../protocol/elicitation.ts';
import type { RpcId } from '../transport/rpc-message.ts';

/**
 * The callers of the requests in progress at one server. In the older protocol, neither a question nor a log message
 * names its request; over HTTP the stream does. What is meant for one caller must never reach another.
 */
export interface Callers {
  begin(id: RpcId, asker: ElicitationTarget): void;
  /** The caller has given up. Many servers continue anyway, so their questions are declined from now on. */
  abandoned(id: RpcId): void;
  /** The server has answered, so it asks no more questions about this request. */
  answered(id: RpcId): void;
  /**
   * The caller of the request that a question belongs to. Without a request, the latest caller if all requests in
   * progress are of one session, else undefined.
   */
  askerFor(related: RpcId | undefined): ElicitationTarget | undefined;
  /** Tells all callers of a question that belongs to one of them, nobody knows which. */
  unseenQuestion(): void;
  /**
   * The peer that gets a log message. Servers log at any time, so a message without a request is only passed on while a
   * single session has used this connection.
   */
  listenerFor(related: RpcId | undefined): Pick<Peer, 'log'> | undefined;
}

const declineAll: ElicitationTarget['ask'] = async () => ({ action: 'decline' });
const never = new AbortController().signal;

export function createCallers(): Callers {
  const open = new Map<RpcId, ElicitationTarget>();
  let only: Pick<ElicitationTarget, 'session' | 'between'> | undefined;
  let isShared = false;

  const askerFor: Callers['askerFor'] = (related) => {
    const known = related === undefined ? undefined : open.get(related);
    if (known) return known;
    const askers = [...open.values()];
    const latest = askers.findLast(({ ask }) => ask !== declineAll);
    return latest && askers.every((asker) => isSameSession(asker, latest)) ? latest : undefined;
  };
  return {
    begin(id, asker) {
      open.set(id, asker);
      only ??= { session: asker.session, between: asker.between };
      isShared ||= asker.session === undefined || asker.session !== only.session;
    },
    abandoned(id) {
      const asker = open.get(id);
      // Releases everything that belongs to the caller.
      if (asker) open.set(id, { ask: declineAll, signal: never, session: asker.session });
    },
    answered: (id) => void open.delete(id),
    askerFor,
    unseenQuestion() {
      for (const asker of open.values()) asker.onUnseenQuestion?.();
    },
    listenerFor(related) {
      const known = related === undefined ? undefined : open.get(related);
      if (known) return known.peer;
      return isShared ? undefined : (askerFor(undefined)?.peer ?? only?.between);
    },
  };
}

const isSameSession = (one: ElicitationTarget, other: ElicitationTarget): boolean =>
  one === other || (one.session !== undefined && one.session === other.session);
