import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/** A code that only the owner sees, in the terminal or the log of the server: 50 bits, new at each start. */
export interface PairingCode {
  /** "ABCDE-12345" */
  readonly shown: string;
  /** Ignores case, the hyphen and spaces. */
  matches(typed: string): Promise<boolean>;
}

/** Without letters that look like digits. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 10;

/** The codes of all hosts, as digests: one that a host has printed counts on every other. */
export interface SharedCodes {
  setCode(digest: string): Promise<void>;
  hasCode(digest: string): Promise<boolean>;
}

export async function createPairingCode(shared?: SharedCodes): Promise<PairingCode> {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
  const own = digest(code);
  await shared?.setCode(own.toString('base64url'));
  return {
    shown: `${code.slice(0, length / 2)}-${code.slice(length / 2)}`,
    async matches(typed) {
      const given = digest(typed.toUpperCase().replaceAll(/[\s-]/g, ''));
      return timingSafeEqual(given, own) || (await shared?.hasCode(given.toString('base64url'))) === true;
    },
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
