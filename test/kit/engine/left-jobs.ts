import { databaseOf } from '../database.ts';
import { openEngineOn } from './open-engine.ts';

/** A job in the queue "letters" that could have begun 130 seconds ago, and one for an hour later. Nobody works on them. */
export async function leaveJobs(home: string): Promise<void> {
  await using database = databaseOf(home);
  await using engine = await openEngineOn(database);
  await engine.define([{ name: 'letters', order: 'none', attempts: 1, keptDays: 1 }]);
  await engine.transaction(async (transaction) => {
    await engine.add(transaction, { queue: 'letters', data: null, at: Date.now() - 130_000 });
    await engine.add(transaction, { queue: 'letters', data: null, at: Date.now() + 3_600_000 });
  });
}
