import { pegboard } from '../../core/own-command.ts';
import type { ProviderModels } from '../../agent/models/list-models.ts';
import { withCommas } from '../../core/text/with-commas.ts';
import { shorten } from '../../core/text/shorten.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { renderTable } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A longer name would make every line as long. `--json` has it whole. */
const maxNameLength = 100;

/** Whether a name contains every word, in any case. */
export const matchesWords = (id: string, words: readonly string[]): boolean =>
  words.every((word) => id.toLowerCase().includes(word.toLowerCase()));

/** Models on stdout, at most `limit`; providers without a list on stderr. */
export function showModels(
  { out, err }: Terminal,
  providers: readonly ProviderModels[],
  limit = Infinity,
): void {
  const models = providers.flatMap((one) => one.models);
  const rows = models
    .slice(0, limit)
    .map(({ id, contextWindow, price }) => [
      shorten(shownLine(id), maxNameLength),
      contextWindow === undefined ? '' : withCommas(contextWindow),
      price === undefined ? '' : `$${price.input}`,
      price === undefined ? '' : `$${price.output}`,
    ]);
  const columns = [
    { title: 'MODEL', paint: out.style.name, shrinks: true },
    ...['CONTEXT', 'INPUT/M', 'OUTPUT/M'].map((title) => ({ title, alignRight: true })),
  ];
  if (rows.length > 0) for (const line of renderTable(out, columns, rows)) out.line(line);
  if (models.length > limit)
    err.line(`${models.length - limit} more: \`${pegboard} models search WORDS\` finds them.`);
  for (const { problem } of providers) if (problem !== undefined) err.line(shownLine(problem));
  if (providers.length === 0)
    err.line(
      `No provider is connected. \`${pegboard} setup\` connects one; or store a key (\`${pegboard} secret set OPENAI_API_KEY\`), or start Ollama or LM Studio.`,
    );
  else if (models.length === 0 && providers.every(({ problem }) => problem === undefined))
    err.line('No model matches.');
}
