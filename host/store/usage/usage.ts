import type { UsageStats } from '../../api/usage.ts';
import type { Database } from '../database/database.ts';
import { createDayOf } from '../conversations/day.ts';
import { createSpending, type Spending } from './spending.ts';
import { insertUsage, type UsageEntry } from './usage-entry.ts';
import { sumBy, sumByTool } from './usage-summary.ts';

/** Records the usage of models, and limits spending. */
export interface Usage extends Spending, UsageStats {
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
  };
}
