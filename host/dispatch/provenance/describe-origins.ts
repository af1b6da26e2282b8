import type { Origin } from '../../api/provenance.ts';
import { shorten } from '../../core/text/shorten.ts';

const maxNamed = 3;
/** Characters of one name. */
const maxNameLength = 80;

/**
 * "web page of example.org, MCP server notes and 2 more". Unusual names are quoted and escaped to one line, so that none
 * can pass for a part of the question.
 */
export function describeOrigins(origins: readonly Origin[]): string {
  const named = origins.slice(-maxNamed).map(({ kind, what, keptIn }) => {
    const where = keptIn === undefined ? '' : `, kept in ${nameOf('file', keptIn)}`;
    return `${words[kind]} ${nameOf(kind, what)}${where}`;
  });
  const more = origins.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

const words = {
  web: 'web page of',
  mcp: 'MCP server',
  person: 'message of',
  file: 'file',
  network: 'output of',
} as const satisfies Record<Origin['kind'], string>;

/** Of an address only the host: its path is chosen by the page's owner. */
function nameOf(kind: Origin['kind'], what: string): string {
  const name = kind === 'web' ? (URL.parse(what)?.host ?? what) : what;
  return /^[\w.:@/-]+$/.test(name) && name.length <= maxNameLength ? name : quoted(name);
}

function quoted(name: string): string {
  const spelled = name.replaceAll(
    /["\\\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
  return `"${shorten(spelled, maxNameLength)}"`;
}
