import type { Context, CommandHandler } from '../../command.ts';
import { matchesWords, showModels } from '../../models/show-models.ts';
import { usageError } from '../../parse.ts';

export const runList: CommandHandler = (context) => show(context, []);
export const runSearch: CommandHandler = (context) => show(context, context.words);

async function show(context: Context, words: readonly string[]): Promise<number | void> {
  const { options, terminal, command } = context;
  const host = await context.openHost();
  const all = await (await host.agents()).models.list();
  const wanted = options.value('provider');
  const chosen = wanted === undefined ? all : all.filter(({ provider }) => provider === wanted);
  if (wanted !== undefined && chosen.length === 0) {
    const known = all.map(({ provider }) => provider).join(', ') || 'none';
    throw usageError(command, `There is no connected provider "${wanted}". Connected: ${known}.`);
  }
  const providers = chosen.map((one) => ({
    ...one,
    models: one.models.filter(({ id }) => matchesWords(id, words)),
  }));
  if (options.flag('json')) terminal.json({ providers });
  else showModels(terminal, providers);
  return providers.every(({ problem }) => problem !== undefined) ? 1 : 0;
}
