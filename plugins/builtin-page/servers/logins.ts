import type { McpSource, ReadAddress } from 'pegboard/home';
import { messageOf, untilAborted } from 'pegboard/kit';
import type { LoginRow } from './wire.ts';

/** Logins to MCP servers that people have begun on the page, one for each server. */
export interface Logins extends Disposable {
  /** Begins a login, or joins the one that waits. Resolves when it waits for the person, or is over. Never rejects. */
  begin(server: McpSource): Promise<LoginRow>;
  /** The last one. */
  of(name: string): LoginRow;
  /** The address at which the browser has ended. False: no login waits for one. */
  give(name: string, address: string): boolean;
  /** Gives up the one that waits. */
  cancel(name: string): void;
}

interface Login {
  row: LoginRow;
  readonly shown: Promise<void>;
  readonly ending: AbortController;
  /** Takes the next address, while it is asked for. */
  take?: ((address: string) => void) | undefined;
  /** One that came before it was asked for. */
  early?: string | undefined;
}

export function openLogins(redact: (text: string) => string): Logins {
  const logins = new Map<string, Login>();

  const start = (server: McpSource): Login => {
    const { promise: shown, resolve: isShown } = Promise.withResolvers<void>();
    const login: Login = { row: { state: 'waiting' }, shown, ending: new AbortController() };
    const readAddress: ReadAddress = async (problem, signal) => {
      login.row = { ...login.row, ...(problem !== undefined && { problem }) };
      const { early } = login;
      login.early = undefined;
      if (early !== undefined) return early;
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      login.take = resolve;
      return await untilAborted(promise, signal).catch(() => undefined);
    };
    const show = (address: string): void => {
      login.row = { state: 'waiting', address };
      isShown();
    };
    void server
      .login(show, { signal: login.ending.signal, readAddress })
      .then(
        ({ missing }) => (login.row = { state: 'done', missing }),
        (cause: unknown) =>
          (login.row = {
            state: 'failed',
            problem: login.ending.signal.aborted ? 'You gave it up.' : redact(messageOf(cause)),
          }),
      )
      .finally(isShown);
    return login;
  };

  return {
    async begin(server) {
      const before = logins.get(server.name);
      const login = before?.row.state === 'waiting' ? before : start(server);
      logins.set(server.name, login);
      await login.shown;
      return login.row;
    },
    of: (name) => logins.get(name)?.row ?? { state: 'none' },
    give(name, address) {
      const login = logins.get(name);
      if (login?.row.state !== 'waiting') return false;
      const { problem: _, ...row } = login.row;
      login.row = row;
      if (login.take) login.take(address);
      else login.early = address;
      login.take = undefined;
      return true;
    },
    cancel: (name) => logins.get(name)?.ending.abort(),
    [Symbol.dispose]() {
      for (const { ending } of logins.values()) ending.abort();
    },
  };
}
