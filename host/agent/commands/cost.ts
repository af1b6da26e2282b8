import { plural } from '../../core/text/plural.ts';
import { withCommas } from '../../core/text/with-commas.ts';
import { escapeMarkdown } from '../../core/text/escape-markdown.ts';
import type { UsageLine, UsageRange } from '../../api/store/usage.ts';
import type { CommandServices, RunCommand } from './command.ts';

/** Of this conversation, and of today. */
export const showCost: RunCommand = async (_rest, { key }, services) => {
  const current = await services.sessions.current(key);
  const own = current ? await linesOf({ conversation: current.id }, services) : [];
  const all = await showToday(services);
  return own.length === 0
    ? `This conversation has used no model yet.\n\n${all}`
    : `**This conversation**\n${own.join('\n')}\n\n${all}`;
};

export const showUsage: RunCommand = async (_rest, _place, services) => await showToday(services);

async function showToday(services: CommandServices): Promise<string> {
  const today = services.usage.today();
  const lines = await linesOf({ from: today, to: today }, services);
  if (lines.length === 0) return 'No model was used today.';
  return `**Today, in all channels**\n${lines.join('\n')}`;
}

/** A line for each model, and where there are several, one for all. */
async function linesOf(range: UsageRange, { usage }: CommandServices): Promise<readonly string[]> {
  const lines = await usage.summarize('model', range);
  const shown = lines.map((line) => `- ${escapeMarkdown(line.name)}: ${describe(line)}`);
  const cost = lines.reduce((sum, line) => sum + line.cost, 0);
  return lines.length < 2 ? shown : [...shown, `- together: $${cost.toFixed(4)}`];
}

function describe({ calls, input, output, cost, unpriced }: UsageLine): string {
  const price = unpriced === calls ? 'price unknown' : `$${cost.toFixed(4)}`;
  return `${plural(calls, 'call')}, ${withCommas(input)} tokens in, ${withCommas(output)} out, ${price}`;
}
