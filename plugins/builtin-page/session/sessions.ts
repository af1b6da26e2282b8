import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { digestOf, openTickets, randomCode } from 'pegboard/serving';

const cookieSeconds = 30 * 86_400;
/** Milliseconds for which a proof counts. */
const proofMs = 600_000;
/** Wrong codes after which the page must be opened again. */
const maxWrongCodes = 5;

const cookieName = 'pegboard_page';
/** The header with the other half of the session. */
const keyHeader = 'x-pegboard-page';

export interface Session {
  /** Stable for as long as the session lasts. */
  readonly id: string;
  /** Whether its person has shown lately, by a code from the terminal or from Telegram, that they are the owner. */
  readonly isProven: boolean;
  /** Whether the code is right. After several wrong ones the session ends. */
  prove(code: string): boolean;
  end(): void;
  /** How many other browsers are signed in. */
  others(): number;
  endOthers(): void;
}

export interface Sessions {
  /** Undefined: the link was used before, or is older than a minute. `secure`: the page is reached by https. */
  open(code: string, secure: boolean): { readonly cookie: string; readonly key: string } | undefined;
  /** Undefined without a valid session. */
  of(request: Pick<IncomingMessage, 'headers'>): Session | undefined;
}

/**
 * A session has two halves: a cookie that no script can read, and a key in the page's own storage. Browsers send the
 * cookie of 127.0.0.1 to every port, and storage belongs to one origin, so another server on this machine never gets
 * both. It outlives the process: a restart signs nobody out. `onEnd` is called when one has ended here.
 */
export function openSessions(stateFolder: string, onEnd: (session: string) => void): Sessions {
  const tickets = openTickets(stateFolder);
  /** By session. A restart forgets them. */
  const provenUntil = new Map<string, number>();
  const wrongCodes = new Map<string, number>();
  const endOne = (id: string): void => {
    tickets.remove('session', id);
    provenUntil.delete(id);
    wrongCodes.delete(id);
    onEnd(id);
  };
  return {
    open(code, secure) {
      if (!tickets.use('open', code)) return undefined;
      const cookie = randomCode();
      const key = randomCode();
      tickets.write('session', cookie, digestOf(key));
      const attributes = ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${cookieSeconds}`];
      return {
        cookie: [`${cookieName}=${cookie}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; '),
        key,
      };
    },
    of({ headers }) {
      const cookie = new RegExp(`(?:^|; *)${cookieName}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
      const key = headers[keyHeader];
      if (cookie === undefined || typeof key !== 'string') return undefined;
      const expected = tickets.find('session', cookie);
      if (expected === undefined || !isEqual(digestOf(key), expected)) return undefined;
      const id = digestOf(cookie);
      const end = (): void => endOne(id);
      const others = (): readonly string[] => tickets.digests('session').filter((other) => other !== id);
      return {
        id,
        others: () => others().length,
        endOthers: () => others().forEach(endOne),
        get isProven() {
          return (provenUntil.get(id) ?? 0) > Date.now();
        },
        prove(typed) {
          const isRight = tickets.use('proof', typed.trim().toUpperCase());
          const wrong = (wrongCodes.get(id) ?? 0) + 1;
          if (isRight) provenUntil.set(id, Date.now() + proofMs);
          if (isRight) wrongCodes.delete(id);
          else if (wrong < maxWrongCodes) wrongCodes.set(id, wrong);
          else end();
          return isRight;
        },
        end,
      };
    },
  };
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
