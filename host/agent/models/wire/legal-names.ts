import { createHash } from 'node:crypto';

/** What OpenAI's interface takes as the name of a function; others refuse the same. */
const legal = /^[a-zA-Z0-9_-]{1,64}$/;
const maxNameLength = 64;

export interface LegalNames {
  /** The name as it is sent: the same for the same name, and never the one of another tool on offer. */
  readonly toLegal: (name: string) => string;
  /** The tool on offer that goes by this name; any other name stays as it is. */
  readonly fromLegal: (name: string) => string;
}

/** Names for one request: models call tools by names that no provider takes back in the history. */
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
