import { nearest } from '../../../core/documents/nearest.ts';
import { environmentOf } from '../../../home-environment.ts';
import { writtenDatabase } from '../../../compose/home-database.ts';
import { resolverOf } from '../../../compose/home-secrets.ts';
import { daysBefore } from '../../../store/conversations/day.ts';
import { createUsage } from '../../../store/usage/usage.ts';
import { totalOf, usageGroups, type UsageGroup, type UsageSum } from '../../../store/usage/usage-summary.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { renderTable } from '../../terminal/table.ts';
import { warn } from '../../warn.ts';
import { withCommas } from '../../../core/text/with-commas.ts';

const defaultDays = 30;

export const run: CommandHandler = async (context) => {
  const { terminal, options, home } = context;
  const by = groupFrom(context);
  const days = daysFrom(context);
  await using database = writtenDatabase(home, resolverOf(home, context.surroundings), {
    restored: (message) => warn(terminal, message),
  });
  const timeZone = environmentOf(home, context.surroundings)['TIMEZONE'];
  const usage = createUsage(database, timeZone === undefined ? {} : { timeZone });
  const to = usage.today();
  const from = daysBefore(to, days - 1);
  const agent = options.value('agent');
  const lines = await usage.summarize(by, { from, to, ...(agent !== undefined && { agent }) });
  const total = totalOf(lines);
  if (options.flag('json')) return terminal.json({ from, to, by, lines, total });
  const { out, err } = terminal;
  if (lines.length === 0) return err.line(`No model was used from ${from} to ${to}.`);
  const columns = [
    { title: by.toUpperCase(), paint: out.style.name, shrinks: true },
    ...['CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'COST'].map((title) => ({ title, alignRight: true })),
  ];
  const rows = [...lines, { name: 'total', ...total }].map(({ name, ...sum }) => [name, ...cells(sum)]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  if (total.unpriced > 0) err.line(`${total.unpriced} of the calls went to models with unknown prices.`);
};

function cells({ calls, input, cached, output, cost, unpriced }: UsageSum): string[] {
  const tokens = [calls, input, cached, output].map((count) => withCommas(count));
  return [...tokens, unpriced === calls ? '?' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`];
}

function groupFrom({ options, command }: Context): UsageGroup {
  const given = options.value('by') ?? 'day';
  const group = usageGroups.find((name) => name === given);
  if (group) return group;
  const [near] = nearest(given, usageGroups);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw usageError(command, `--by takes ${usageGroups.join(', ')}, not "${given}".${hint}`);
}

function daysFrom({ options, command }: Context): number {
  const given = options.value('days') ?? String(defaultDays);
  const days = Number(given);
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days;
  throw usageError(command, `--days takes a whole number above 0, not "${given}".`);
}
