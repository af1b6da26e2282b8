import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type JsonObject, parseJson, PegboardError, toJson } from 'pegboard';
import type { KeptTexts } from './kept-texts.ts';

/** Signs data that a client keeps and sends back. Data signed for one purpose is not valid for another. */
export interface Signer {
  /** Visible ASCII without spaces, suitable for a header. */
  seal(purpose: string, payload: JsonObject): string;
  /** The payload; undefined if we didn't sign it. Never throws. */
  open(purpose: string, token: unknown): JsonObject | undefined;
}

const keyLength = 32;
const keyName = 'mcp-server.key';

function createSigner(key: Buffer): Signer {
  const signatureOf = (purpose: string, body: string): Buffer =>
    createHmac('sha256', key).update(`${purpose}\0${body}`).digest();
  return {
    seal(purpose, payload) {
      const body = Buffer.from(toJson(payload)).toString('base64url');
      return `${body}.${signatureOf(purpose, body).toString('base64url')}`;
    },
    open(purpose, token) {
      if (typeof token !== 'string') return undefined;
      const [body, signature, ...rest] = token.split('.');
      if (body === undefined || signature === undefined || rest.length > 0) return undefined;
      const expected = signatureOf(purpose, body);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      // Base64 decoding ignores stray characters; only the exact spelling is valid.
      if (given.toString('base64url') !== signature) return undefined;
      return parseJson(Buffer.from(body, 'base64url').toString()) as JsonObject;
    },
  };
}

/** A signer whose tokens are valid wherever the same texts are kept, also after this process. */
export async function openSigner(kept: KeptTexts): Promise<Signer> {
  const key = Buffer.from(await kept.text(keyName, () => randomBytes(keyLength).toString('hex')), 'hex');
  if (key.length === keyLength) return createSigner(key);
  throw new PegboardError(
    'PEG_CONFIG',
    `${kept.nameOf(keyName)} is damaged. Delete it; clients then connect again.`,
  );
}
