import { createHash } from 'node:crypto';

/** Function names that OpenAI's API accepts; other providers have the same rule. */
const legal = /^[a-zA-Z0-9_-]{1,64}$/;
const maxNameLength = 64;

export interface LegalNames {
  /** The name to send: stable, and never that of another offered tool. */
  readonly toLegal: (name: string) => string;
  /** The offered tool with this sent name; any other name is returned unchanged. */
  readonly fromLegal: (name: string) => string;
}

/** Names for one request. Models call tools by names that providers refuse in the history. */
export function createLegalNames(offered: readonly { readonly name: string }[]): LegalNames {
  const original = new Map(offered.map(({ name }) => [name, name]));
  const given = new Map(offered.filter(({ name }) => legal.test(name)).map(({ name }) => [name, name]));
  const toLegal = (name: string): string => {
    const known = given.get(name);
    if (known !== undefined) return known;
    const plain = legalOf(name);
    const free = plain === name || !original.has(plain) ? plain : hashed(plain, name);
    given.set(name, free);
    return free;
  };
  for (const { name } of offered) {
    const sent = toLegal(name);
    if (sent !== name) original.set(sent, name);
  }
  return { toLegal, fromLegal: (name) => original.get(name) ?? name };
}

/** "filesystem.read" goes out as "filesystem__read". */
function legalOf(name: string): string {
  if (legal.test(name)) return name;
  const plain = name
    .trim()
    .replaceAll('.', '__')
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_');
  if (plain.length > maxNameLength) return hashed(plain, name);
  return /[a-zA-Z0-9]/.test(plain) ? plain : 'unnamed';
}

function hashed(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${plain.slice(0, maxNameLength - 9)}_${hash}`;
}
