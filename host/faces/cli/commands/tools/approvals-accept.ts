import { PegboardError } from '../../../../core/errors.ts';
import { nearest } from '../../../../core/documents/nearest.ts';
import type { HeldBack } from '../../../../held-back/held-back.ts';
import { heldBackIn } from '../../../../held-back/in-host.ts';
import { approve } from '../../approve.ts';
import type { Run } from '../../command.ts';
import { connectServers } from '../../wait-for-servers.ts';

/** One after the other. Nothing that waits is not an error. */
export const run: Run = async (context) => {
  const { words, terminal } = context;
  const host = await context.openHost();
  await connectServers(host, context);
  const held = heldBackIn(host);
  if (held.length === 0) return terminal.out.line('Nothing waits for your approval.');
  const chosen = words.length === 0 ? held : words.map((word) => find(word, held));
  for (const one of chosen) await approve(one.look(), context);
};

/** Throws PEG_USAGE with a near name. */
function find(word: string, held: readonly HeldBack[]): HeldBack {
  const found = held.find(({ id }) => id === word || id === `spaces/${word}`);
  if (found) return found;
  const ids = held.map(({ id }) => id);
  const [near] = nearest(word, ids);
  throw new PegboardError(
    'PEG_USAGE',
    `Nothing called "${word}" waits for approval. ${near === undefined ? `There is: ${ids.join(', ')}.` : `Did you mean ${near}?`}`,
  );
}
