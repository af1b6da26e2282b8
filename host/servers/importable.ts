import { isDeepStrictEqual } from 'node:util';
import { basename } from 'node:path';
import type { McpServerConfig } from '../sources/mcp/config.ts';
import type { ClientServer } from '../sources/mcp/import/import-clients.ts';

/** A server of another client, with the name that it would get here. */
export interface Importable extends ClientServer {
  readonly as: string;
  /** Why it isn't offered; absent when it is. */
  readonly skipped?: string;
}

/** Which of the found servers can be imported: each once, each under a name of its own, and never Pegboard itself. */
export function toImportable(
  found: readonly ClientServer[],
  configured: ReadonlyMap<string, McpServerConfig>,
): readonly Importable[] {
  const taken = new Map<string, McpServerConfig>(configured);
  return found.map((server) => {
    const plain = toServerName(server.name);
    const rival = taken.get(plain);
    if (isPegboard(server.config)) return { ...server, as: plain, skipped: 'is Pegboard itself' };
    if (rival && (configured.has(plain) || isDeepStrictEqual(rival, server.config))) {
      return {
        ...server,
        as: plain,
        skipped: configured.has(plain) ? 'is here already' : 'is the same as above',
      };
    }
    const as = rival ? `${plain}-${toServerName(server.client.toLowerCase())}` : plain;
    taken.set(as, server.config);
    return { ...server, as };
  });
}

/** Names become the first half of tool ids: letters, digits, "-" and single "_". */
export function toServerName(name: string): string {
  return (
    name
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/_{2,}/g, '_')
      .replace(/^[-_]+|[-_]+$/g, '') || 'server'
  );
}

/** An entry of Pegboard would make it connect to itself. */
export function isPegboard({ command, args = [] }: McpServerConfig): boolean {
  const words = [command ?? '', ...args];
  return words.includes('serve') && words.some((word) => /^pegboard(\.[cm]?js)?$/.test(basename(word)));
}
