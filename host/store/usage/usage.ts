import type { UsageStats } from '../../api/store/usage.ts';
import type { Database } from '../database/database.ts';
import { createDayOf } from '../conversations/day.ts';
import { createSpending, type Spending } from './spending.ts';
import { insertUsage, type UsageEntry } from './usage-entry.ts';
import { sumBy, sumByTool } from './usage-summary.ts';
import type { TurnCalls, TurnUsage } from './usage-turns.ts';

/** What was used for what. */
export interface UsageRecords extends UsageStats {
  /** The turns of a day, the most expensive first. */
  turns(day: string): Promise<readonly TurnUsage[]>;
  /** The calls of models and tools in the turn with this answer. */
  calls(turn: number): Promise<TurnCalls>;
}

/** Records the usage of models, and limits spending. */
export interface Usage extends Spending, UsageRecords {
  record(entry: UsageEntry): Promise<void>;
}

/** Days change at midnight in `timeZone`, this machine's without one. Throws PEG_CONFIG for one that doesn't exist. */
export function createUsage(database: Database, { timeZone }: { readonly timeZone?: string } = {}): Usage {
  const dayOf = createDayOf(timeZone);
  return {
    ...createSpending(database, dayOf),
    today: () => dayOf(new Date()),
    record: async (entry) => await insertUsage(await database.open(), entry, dayOf),
    async summarize(by, range = {}) {
      const open = await database.existing();
      return open ? await sumBy(open, by, range) : [];
    },
    async tools(range = {}) {
      const open = await database.existing();
      return open ? await sumByTool(open, range) : [];
    },
    async turns(day) {
      const open = await database.existing();
      // Loads a package that no command but the page's needs.
      return open ? await (await import('./usage-turns.ts')).turnsOn(open, day) : [];
    },
    async calls(turn) {
      const open = await database.existing();
      if (!open) return { models: [], tools: [] };
      return await (await import('./usage-turns.ts')).callsOfTurn(open, turn);
    },
  };
}
