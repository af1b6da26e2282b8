import type { Peer } from '../../../api/mcp/peer.ts';
import type { ElicitationTarget } from '../protocol/elicitation.ts';
import type { RpcId } from '../transport/rpc-message.ts';

/**
 * Who the requests are for that one server works on. In the older protocol neither a question nor a log message says
 * which request it belongs to; over HTTP the stream that it comes on does. One caller's must never reach another.
 */
export interface Callers {
  begin(id: RpcId, asker: ElicitationTarget): void;
  /** Nobody waits for it any more. Many servers work on all the same, and may still ask: that goes to nobody. */
  abandoned(id: RpcId): void;
  /** The server has answered, so it asks nothing more about it. */
  answered(id: RpcId): void;
  /**
   * Who is asked: the caller of the request that a question came with. Without one the latest caller, if all requests
   * that the server works on are of one session, else nobody.
   */
  askerFor(related: RpcId | undefined): ElicitationTarget | undefined;
  /**
   * Who gets a log message. Servers log at any time, so that one without a request goes to somebody only while one
   * session alone has used this connection.
   */
  listenerFor(related: RpcId | undefined): Pick<Peer, 'log'> | undefined;
}

const nobody: ElicitationTarget['ask'] = async () => ({ action: 'decline' });
const never = new AbortController().signal;

export function createCallers(): Callers {
  const open = new Map<RpcId, ElicitationTarget>();
  let only: Pick<ElicitationTarget, 'session' | 'between'> | undefined;
  let isShared = false;

  const askerFor: Callers['askerFor'] = (related) => {
    const known = related === undefined ? undefined : open.get(related);
    if (known) return known;
    const askers = [...open.values()];
    const latest = askers.findLast(({ ask }) => ask !== nobody);
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
      // What belonged to the caller is let go of.
      if (asker) open.set(id, { ask: nobody, signal: never, session: asker.session });
    },
    answered: (id) => void open.delete(id),
    askerFor,
    listenerFor(related) {
      const known = related === undefined ? undefined : open.get(related);
      if (known) return known.peer;
      return isShared ? undefined : (askerFor(undefined)?.peer ?? only?.between);
    },
  };
}

const isSameSession = (one: ElicitationTarget, other: ElicitationTarget): boolean =>
  one === other || (one.session !== undefined && one.session === other.session);
