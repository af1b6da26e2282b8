import { PegboardError } from '../../../../core/errors.ts';
import { nearest } from '../../../../core/documents/nearest.ts';
import type { Host } from '../../../../host.ts';
import { trustPlugin } from '../../approve/plugin.ts';
import { approveServer } from '../../approve/server.ts';
import { acceptSpace } from '../../approve/space.ts';
import { waitingIn, type Waiting } from '../../approve/waiting.ts';
import type { Context, Run } from '../../command.ts';
import { connectServers } from '../../wait-for-servers.ts';

/** One after the other, each with what it would do or what has changed. Nothing that waits is not an error. */
export const run: Run = async (context) => {
  const { words, terminal } = context;
  const host = await context.openHost();
  await connectServers(host, context);
  const waiting = distinct(waitingIn(host));
  if (waiting.length === 0) return terminal.out.line('Nothing waits for your approval.');
  const chosen = words.length === 0 ? waiting : words.map((word) => find(word, waiting));
  for (const one of chosen) await accept(one, host, context);
};

async function accept({ kind, id }: Waiting, host: Host, context: Context): Promise<void> {
  if (kind === 'server') await approveServer(host, id, [], context);
  else if (kind === 'plugin') await trustPlugin(host, id, context);
  else await acceptSpace(host, id.slice('spaces/'.length), context);
}

/** A server with several tools is one. */
const distinct = (waiting: readonly Waiting[]): readonly Waiting[] => [
  ...new Map(waiting.map((one) => [one.id, one])).values(),
];

/** Throws PEG_USAGE with a near name. */
function find(word: string, waiting: readonly Waiting[]): Waiting {
  const found = waiting.find(({ id }) => id === word || id === `spaces/${word}`);
  if (found) return found;
  const ids = waiting.map(({ id }) => id);
  const [near] = nearest(word, ids);
  throw new PegboardError(
    'PEG_USAGE',
    `Nothing called "${word}" waits for approval. ${near === undefined ? `There is: ${ids.join(', ')}.` : `Did you mean ${near}?`}`,
  );
}
