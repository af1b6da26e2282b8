import { basename, join } from 'node:path';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { readTextFile } from '../../core/text-file.ts';
import type { Context } from './command.ts';
import { openUnlessBroken } from './lint-modules.ts';
import { knowServers } from './wait-for-servers.ts';

/** Files that MCP servers are configured in. */
const configured = new Set(['pegboard.yaml', '.mcp.json']);
const leftOut = new Set(['mcp-malformed-tool', 'mcp-duplicate-tool']);

/** Tools of the home's MCP servers that are left out. A server that was never connected is asked; what another offers is remembered. */
export async function lintServers(
  home: string,
  paths: readonly string[],
  openHost: Context['openHost'],
  context: Context,
): Promise<readonly Diagnostic[]> {
  const isChosen =
    paths.length === 0 || paths.some((path) => path === home || configured.has(basename(path)));
  if (!isChosen || !hasServers(home)) return [];
  const host = await openUnlessBroken(openHost);
  if (!host) return [];
  await knowServers(host, context);
  return host.registry.snapshot.diagnostics.filter(({ code }) => leftOut.has(code));
}

/** A host takes a while to open. */
const hasServers = (home: string): boolean =>
  [...configured].some((name) => /\bmcpServers\b/.test(readTextFile(join(home, name)).text ?? ''));
