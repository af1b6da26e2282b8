import { PegboardError } from '../../../../core/errors.ts';
import { nearest } from '../../../../core/documents/nearest.ts';
import type { Host } from '../../../../host.ts';
import type { Run } from '../../command.ts';
import { usageError } from '../../parse.ts';

/** Something that was allowed, and how it is taken back; in a sentence what holds then. */
interface Allowed {
  readonly id: string;
  readonly revoke: () => Promise<string>;
}

export const run: Run = async (context) => {
  const { terminal, options, words, command } = context;
  const all = options.flag('all');
  if (words.length === 0 && !all) throw usageError(command, 'What? Name it, or say --all.');
  const host = await context.openHost({ mcp: 'off' });
  const allowed = allowedIn(host);
  const chosen = all ? allowed : words.flatMap((word) => find(word, allowed));
  for (const { revoke } of chosen) terminal.out.line(await revoke());
  if (chosen.length === 0) terminal.err.line('Nothing was allowed.');
};

function allowedIn({ approvals, trust, spaces }: Host): readonly Allowed[] {
  const tools = approvals.list().map(({ tool: id }) => ({
    id,
    revoke: async () => {
      await approvals.revoke(id);
      return `${id} asks again.`;
    },
  }));
  const code = trust.list().map(({ id }) => ({
    id,
    revoke: async () => {
      await trust.revoke(id);
      return `${id} is no longer trusted; its code does not run.`;
    },
  }));
  const pinned = spaces.accepted().map(({ name: space }) => ({
    id: `spaces/${space}`,
    revoke: async () => {
      await spaces.revoke(space);
      return `The space ${space} is no longer accepted; what somebody else writes of it waits for you.`;
    },
  }));
  return [...tools, ...code, ...pinned];
}

/** By id, by a tool's bare name, or by a space's, of which the code is allowed apart. What was allowed may be gone. */
function find(word: string, allowed: readonly Allowed[]): readonly Allowed[] {
  const exact = allowed.filter(({ id }) => id === word);
  const found =
    exact.length > 0 ? exact : allowed.filter(({ id }) => id.endsWith(`.${word}`) || id === `spaces/${word}`);
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
