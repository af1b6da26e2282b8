import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Correspondence } from '../hosts/correspondence.ts';

/**
 * A session is open on every host that its client has reached. What the client sends about something that goes on in it has
 * to reach the host where that is.
 */
export interface SessionHosts extends Disposable {
  /** Throws PEG_DATABASE. */
  share(session: string, messages: readonly JSONRPCMessage[]): Promise<void>;
  end(session: string): Promise<void>;
}

interface SessionsHere {
  receive(session: string, messages: readonly JSONRPCMessage[]): void;
  end(session: string): void;
}

/** Requests that change how a session goes on. Each host answers its own copy, and only one of them to the client. */
const settings = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** `selection`: whose sessions these are. */
export function createSessionHosts(
  hosts: Correspondence,
  selection: string,
  here: SessionsHere,
): SessionHosts {
  const about = `session ${selection}`;
  const hearing = hosts.hear(about, ({ session, messages }) => {
    if (messages === undefined) here.end(String(session));
    else here.receive(String(session), messages as unknown as readonly JSONRPCMessage[]);
  });
  return {
    async share(session, messages) {
      const shared = messages.filter(concernsOthers);
      if (shared.length > 0) await hosts.tellOthers(about, { session, messages: shared.map(withoutClient) });
    },
    end: (session) => hosts.tellOthers(about, { session }),
    [Symbol.dispose]: () => hearing[Symbol.dispose](),
  };
}

/** Answers to questions and notifications, such as that a call is cancelled: they don't say where it runs. */
function concernsOthers(message: JSONRPCMessage): boolean {
  if (!('method' in message)) return true;
  return 'id' in message ? settings.has(message.method) : message.method !== 'notifications/initialized';
}

/** A request's own id may be that of another request elsewhere. */
const withoutClient = (message: JSONRPCMessage): object =>
  'method' in message && 'id' in message ? { ...message, id: `shared ${message.id}` } : message;
