import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { daysBefore, totalOf, type TurnUsage } from 'pegboard/home';
import { pageSource } from '../channel/page-source.ts';
import type { TurnRow, UsageLine, UsageOverview } from '../usage/wire.ts';
import type { ApiHandlers } from './handler.ts';

/** Days of the windows that stand side by side; the last one is that of the plots. */
const windows = [1, 7, 30] as const;
const plotDays = 30;

/** What models cost: by day, by model, by agent, by turn, by call. */
export function usageHandlers(host: Host): ApiHandlers {
  return {
    'GET usage': async (): Promise<UsageOverview> => {
      const { usage } = host;
      const today = usage.today();
      const range = { from: daysBefore(today, plotDays - 1), to: today };
      const [used, models, agents] = await Promise.all([
        usage.summarize('day', range),
        usage.summarize('model', range),
        usage.summarize('agent', range),
      ]);
      const byDay = new Map(used.map((line) => [line.name, line]));
      const days = Array.from({ length: plotDays }, (_, at): UsageLine => {
        const name = daysBefore(today, plotDays - 1 - at);
        return byDay.get(name) ?? { name, ...totalOf([]) };
      });
      return {
        today,
        windows: windows.map((count) => ({ days: count, sum: totalOf(days.slice(-count)) })),
        days,
        models,
        agents,
      };
    },
    'GET usage-turns': async ({ path: [day = ''] }) => {
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new PegboardError('PEG_USAGE', 'This is no day.');
      return { turns: (await host.usage.turns(day)).map((turn) => toRow(turn, host)) };
    },
    'GET usage-calls': async ({ path: [turn] }) => await host.usage.calls(Number(turn)),
  };
}

function toRow({ conversation, externalId, asked, ...rest }: TurnUsage, host: Host): TurnRow {
  const chat = rest.source === pageSource ? externalId : conversation;
  return { ...rest, asked: host.redact(asked), ...(chat !== undefined && { chat: String(chat) }) };
}
