import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { RegistryServer } from '../../../sources/mcp/registry/entry.ts';
import type { ServerRegistry } from '../../../sources/mcp/registry/open-registry.ts';
import { shortNameOf } from '../../../sources/mcp/registry/rank.ts';
import type { Context } from '../../command.ts';
import { oneLine } from '../../terminal/safe.ts';
import { listEntries } from './list-entries.ts';

/** How many similar servers are listed. */
const maxListed = 10;

/**
 * The server that NAME or NAME@VERSION means: a whole name, or the part after the slash where only one server is called so.
 * Lists the others on stderr where it is not clear. Throws PEG_USAGE.
 */
export async function findEntry(
  registry: ServerRegistry,
  word: string,
  { terminal, options, signal }: Context,
): Promise<RegistryServer> {
  const at = word.lastIndexOf('@');
  const [name, version] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined];
  const short = shortNameOf(name);
  const whole = name.includes('/') ? await registry.get(name, version, signal) : undefined;
  if (whole) return whole;
  const found = await registry.search([short], signal);
  const called = found.filter((server) => shortNameOf(server.name).toLowerCase() === name.toLowerCase());
  const [only] = called;
  if (only && called.length === 1 && !name.includes('/')) {
    if (options.flag('yes'))
      throw new PegboardError(
        'PEG_USAGE',
        `--yes needs the full name of the server: ${only.name}. Nothing was changed.`,
      );
    const exact = version === undefined ? only : await registry.get(only.name, version, signal);
    if (exact) return exact;
  }
  const near = called.length > 0 ? called : found;
  const listed = near.slice(0, maxListed);
  for (const line of listEntries(listed, terminal.err)) terminal.err.line(line);
  const what = `${oneLine(registry.address)} has ${called.length > 1 ? `${called.length} servers` : 'no server'} called "${word}"`;
  const hint =
    listed.length > 0
      ? ' Give the full name of one of those above.'
      : ` \`${pegboard} mcp search\` finds servers by words.`;
  throw new PegboardError('PEG_USAGE', `${what}.${hint} Nothing was changed.`);
}
