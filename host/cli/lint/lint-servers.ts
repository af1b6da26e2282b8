import { basename, join } from 'node:path';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { untilAborted } from '../../core/async/deadline.ts';
import { readTextFile } from '../../core/files/text-file.ts';
import type { Context } from '../command.ts';
import { openUnlessBroken } from './lint-modules.ts';

/** Files that MCP servers are configured in. */
const configured = new Set(['pegboard.yaml', '.mcp.json']);
const leftOut = new Set(['mcp-malformed-tool', 'mcp-duplicate-tool', 'mcp-list-cut']);

/** Tools of the home's MCP servers that were left out at the last connection. No server is started. */
export async function lintServers(
  home: string,
  paths: readonly string[],
  openHost: Context['openHost'],
  { signal }: Pick<Context, 'signal'>,
): Promise<readonly Diagnostic[]> {
  const isChosen =
    paths.length === 0 || paths.some((path) => path === home || configured.has(basename(path)));
  if (!isChosen || !hasServers(home)) return [];
  const host = await openUnlessBroken(openHost);
  if (!host) return [];
  await untilAborted(host.registry.settled(), signal);
  return host.registry.snapshot.diagnostics.filter(({ code }) => leftOut.has(code));
}

/** Opening a host takes a while. */
const hasServers = (home: string): boolean =>
  [...configured].some((name) => /\bmcpServers\b/.test(readTextFile(join(home, name)).text ?? ''));
