import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type JsonObject, parseJson, toJson } from 'pegboard';
import type { SharedTexts } from 'pegboard/serving';

/** No id tokens are issued, and cookies and forms last as long as one login: none has to outlive the server. */
export interface LoginKeys {
  /** A private JWK. */
  readonly signing: JsonObject;
  readonly cookies: string;
  readonly forms: string;
}

/** The same on all hosts that share them; otherwise new at each start. */
export async function openLoginKeys(shared: SharedTexts | undefined): Promise<LoginKeys> {
  const text = async (name: string, fresh: () => string): Promise<string> =>
    shared ? await shared.text(name, async () => fresh()) : fresh();
  return {
    signing: parseJson(await text('login-signing', freshSigningKey)) as JsonObject,
    cookies: await text('login-cookies', freshSecret),
    forms: await text('login-forms', freshSecret),
  };
}

const freshSecret = (): string => randomBytes(32).toString('base64url');

function freshSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return toJson(privateKey.export({ format: 'jwk' }));
}
