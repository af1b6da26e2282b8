import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/** A code that only the owner sees, in the terminal or the log of the server: 50 bits, new at each start. */
export interface PairingCode {
  /** "ABCDE-12345" */
  readonly shown: string;
  /** Ignores case, the hyphen and spaces. */
  matches(typed: string): boolean;
}

/** Without letters that look like digits. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 10;

export function createPairingCode(): PairingCode {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
  return {
    shown: `${code.slice(0, length / 2)}-${code.slice(length / 2)}`,
    matches: (typed) => timingSafeEqual(digest(typed.toUpperCase().replaceAll(/[\s-]/g, '')), digest(code)),
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
