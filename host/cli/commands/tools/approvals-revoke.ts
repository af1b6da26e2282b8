import { PegboardError } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { revokeCode } from '../../../plugins/loading/approved-code.ts';
import type { Host } from '../../../host.ts';
import { revokeTool } from '../../../secrets/grants.ts';
import { allowedClients } from '../../serving/allowed-clients.ts';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { oneLine } from '../../terminal/safe.ts';

/** A stored approval. `revoke` resolves with a sentence about what holds then, or with undefined when nothing changed. */
interface Allowed {
  readonly id: string;
  readonly revoke: () => Promise<string | undefined>;
}

export const run: CommandHandler = async (context) => {
  const { terminal, options, words, command } = context;
  const all = options.flag('all');
  if (words.length === 0 && !all) throw usageError(command, 'Name what to revoke, or pass --all.');
  const host = await context.openHost({ mcp: 'on-demand' });
  const allowed = [...allowedIn(host), ...(await clientsOf(host))];
  const chosen = all ? allowed : words.flatMap((word) => find(word, allowed));
  let revoked = 0;
  for (const { revoke } of chosen) {
    const said = await revoke();
    if (said === undefined) continue;
    terminal.out.line(said);
    revoked++;
  }
  if (revoked === 0) terminal.err.line('There was nothing to revoke.');
};

function allowedIn({ approvals, trust, spaces, servers }: Host): readonly Allowed[] {
  const tools = approvals.list().map(({ tool: id }) => ({
    id,
    revoke: () => revokeTool(id, { approvals }),
  }));
  const code = trust.list().map(({ id }) => ({
    id,
    revoke: async () => {
      await revokeCode(trust, id);
      return `${id} is no longer trusted; its code does not run.`;
    },
  }));
  const pinned = spaces.approved().map(({ name: space }) => ({
    id: `spaces/${space}`,
    revoke: async () => {
      await spaces.revoke(space);
      return `The space ${space} is no longer approved; files in it that somebody else wrote wait for your approval.`;
    },
  }));
  const connected = servers.all.map((server) => ({
    id: `mcp/${server.name}`,
    revoke: async () => {
      if (!(await server.revoke())) return undefined;
      return server.config.trust === true
        ? `The MCP server ${server.name} is no longer approved, but its entry says trust: true.`
        : `The MCP server ${server.name} is no longer approved; its tools wait for your approval.`;
    },
  }));
  return [...tools, ...code, ...pinned, ...connected];
}

async function clientsOf({ home, surroundings }: Host): Promise<readonly Allowed[]> {
  const clients = await allowedClients(home, surroundings);
  return clients.map(({ client: { id, name }, forget }) => ({
    id,
    revoke: async () => {
      await forget();
      return `The client ${oneLine(name ?? id)} is logged out; it needs a new login.`;
    },
  }));
}

/** By id, by a tool's bare name, or by the name of a space or server. What was approved may no longer exist. */
function find(word: string, allowed: readonly Allowed[]): readonly Allowed[] {
  const exact = allowed.filter(({ id }) => id === word);
  const found =
    exact.length > 0
      ? exact
      : allowed.filter(
          ({ id }) =>
            id.endsWith(`.${word}`) || [`spaces/${word}`, `mcp/${word}`, `clients/${word}`].includes(id),
        );
  if (found.length > 0) return found;
  const [near] = nearest(
    word,
    allowed.map(({ id }) => id),
  );
  throw new PegboardError(
    'PEG_TOOL_NOT_FOUND',
    `"${word}" has no stored approval.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}
