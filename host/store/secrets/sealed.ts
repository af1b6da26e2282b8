import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { PegboardError } from '../../core/errors.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';

/**
 * A JSON value encrypted with a passphrase: AES-256-GCM, with a key derived by scrypt (RFC 7914). All texts are base64.
 */
export interface Sealed {
  readonly sealed: 'scrypt-aes-256-gcm';
  readonly salt: string;
  readonly nonce: string;
  readonly tag: string;
  readonly data: string;
}

const algorithm = 'aes-256-gcm';
/** OWASP's minimum for scrypt: N = 2^17, r = 8, p = 1; 128 MB, about a third of a second. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

export const isSealed = (value: unknown): value is Sealed =>
  (value as Partial<Sealed> | null | undefined)?.sealed === 'scrypt-aes-256-gcm';

export function seal(value: unknown, passphrase: string): Sealed {
  // With a nonce of its own, a key may be used again.
  const salt = saltOf(passphrase) ?? randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, keyFrom(passphrase, salt), nonce);
  const data = Buffer.concat([cipher.update(toJson(value), 'utf8'), cipher.final()]);
  return {
    sealed: 'scrypt-aes-256-gcm',
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

/** Throws PEG_CONFIG without a passphrase, with a wrong one, and when the file was changed. */
export function openSealed({ salt, nonce, tag, data }: Sealed, passphrase: string | undefined): unknown {
  if (passphrase === undefined) {
    throw new PegboardError(
      'PEG_CONFIG',
      'The secrets are sealed. Set PEGBOARD_PASSPHRASE to the passphrase that they were stored with.',
    );
  }
  try {
    const key = keyFrom(passphrase, Buffer.from(salt, 'base64'));
    const decipher = createDecipheriv(algorithm, key, Buffer.from(nonce, 'base64'));
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    const text = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]);
    return parseJson(text.toString('utf8'));
  } catch (cause) {
    throw new PegboardError('PEG_CONFIG', 'PEGBOARD_PASSPHRASE does not open the stored secrets.', { cause });
  }
}

/** By passphrase, then by salt in base64: deriving one is slow. */
const keys = new Map<string, Map<string, Buffer>>();

function saltOf(passphrase: string): Buffer | undefined {
  const [salt] = keys.get(passphrase)?.keys() ?? [];
  return salt === undefined ? undefined : Buffer.from(salt, 'base64');
}

function keyFrom(passphrase: string, salt: Buffer): Buffer {
  const derived = keys.get(passphrase) ?? new Map<string, Buffer>();
  keys.set(passphrase, derived);
  const name = salt.toString('base64');
  const key = derived.get(name) ?? scryptSync(passphrase, salt, 32, cost);
  derived.set(name, key);
  return key;
}
