import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a code gives. `open`: the page, once. `proof`: the page may do for a while what only the owner may. `session`: the
 * page stays signed in. `link` gives nothing: it is the file that leads a browser to the page.
 */
type TicketKind = 'open' | 'proof' | 'session' | 'link';

/** Milliseconds that a ticket is valid. */
const validMs: { readonly [kind in TicketKind]: number } = {
  open: 60_000,
  link: 60_000,
  proof: 600_000,
  session: 30 * 86_400_000,
};
const kinds = Object.keys(validMs) as readonly TicketKind[];

export const webFolderOf = (stateFolder: string): string => join(stateFolder, 'web');

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
/** 256 random bits. */
export const randomCode = (): string => randomBytes(32).toString('base64url');

/**
 * The tickets of a home, in its user's state folder: whoever can write there is the owner, so a command may write a
 * ticket and a host that runs elsewhere accepts it. Each is a file named after the digest of its code: reading the folder
 * gives no code, and a ticket is used up by removing its file, which succeeds once.
 */
export interface Tickets {
  /** `text` is kept with the ticket. Returns the path of its file. */
  write(kind: TicketKind, code: string, text?: string): string;
  /** The text of a valid ticket. */
  find(kind: TicketKind, code: string): string | undefined;
  /** Removes the ticket. Whether it was valid. */
  use(kind: TicketKind, code: string): boolean;
  /** The digests of the codes of all valid ones. */
  digests(kind: TicketKind): readonly string[];
  /** Removes the ticket of the code with this digest. */
  remove(kind: TicketKind, digest: string): void;
}

export function openTickets(stateFolder: string): Tickets {
  const folder = webFolderOf(stateFolder);
  const fileWith = (kind: TicketKind, digest: string): string =>
    join(folder, `${kind}-${digest}${kind === 'link' ? '.html' : ''}`);
  const fileOf = (kind: TicketKind, code: string): string => fileWith(kind, digestOf(code));
  const removeExpired = (): void => {
    for (const name of readdirSync(folder)) {
      const kind = kinds.find((each) => name.startsWith(`${each}-`));
      if (kind && !isValid(join(folder, name), kind)) rmSync(join(folder, name), { force: true });
    }
  };
  return {
    write(kind, code, text = '') {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removeExpired();
      const file = fileOf(kind, code);
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
      return file;
    },
    find(kind, code) {
      const file = fileOf(kind, code);
      try {
        return isValid(file, kind) ? readFileSync(file, 'utf8') : undefined;
      } catch {
        return undefined;
      }
    },
    use(kind, code) {
      const file = fileOf(kind, code);
      const wasValid = isValid(file, kind);
      try {
        rmSync(file);
        return wasValid;
      } catch {
        return false;
      }
    },
    digests: (kind) =>
      readdirSync(folder).flatMap((name) => {
        const isOne = name.startsWith(`${kind}-`) && isValid(join(folder, name), kind);
        return isOne ? [name.slice(kind.length + 1).replace(/\.html$/, '')] : [];
      }),
    remove: (kind, digest) => rmSync(fileWith(kind, digest), { force: true }),
  };
}

/** A clock that was set back ends a ticket too. */
function isValid(file: string, kind: TicketKind): boolean {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Math.abs(Date.now() - written) < validMs[kind];
}

/** Without characters that look alike. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A code for people to type: 40 random bits, of which few guesses are allowed. */
function typedCode(): string {
  const characters = [...randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}

/** A code that shows the page that its person is the owner: once, and within ten minutes. */
export function proofCode(stateFolder: string): string {
  const code = typedCode();
  openTickets(stateFolder).write('proof', code);
  return code;
}
