import { PegboardError } from '../../core/errors.ts';
import { plural } from '../../core/text/plural.ts';
import type { Host } from '../../host.ts';
import type { Database } from '../../store/database/database.ts';
import {
  copyTables,
  isCopied,
  matchTables,
  type Copied,
  type CopyRules,
} from '../../store/move/copy-tables.ts';
import { sharedTables } from '../../store/move/shared-tables.ts';
import type { SourceSide, TargetSide } from '../../store/move/side.ts';
import { isOnPostgres } from '../home-database.ts';
import type { Address } from './address.ts';
import { countTables, migrate, openJobsIn, openSide, type MovedHome } from './contents.ts';
import { refuseUsedDatabase } from './in-use.ts';

export interface FillOptions {
  readonly from: SourceSide;
  readonly target: Database;
  readonly rules: CopyRules;
  readonly moved: MovedHome;
  readonly host: Host;
  readonly address: Address;
  readonly signal: AbortSignal;
  readonly say: (step: string) => void;
}

const sharedNames = sharedTables.map(({ name }) => name);

/** A state that was moved from there to `source`, by an earlier move. Without `keep`, disposing closes it again. */
export async function reopenTarget(
  target: Database,
  source: string,
): Promise<AsyncDisposable & { readonly keep: () => void }> {
  const nothing = { keep: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  if (!isOnPostgres(target)) return nothing;
  const { closeState, reopenState } = await import('../../store/move/close-state.ts');
  if (!(await reopenState(target.url))) return nothing;
  let isKept = false;
  return {
    keep: () => void (isKept = true),
    async [Symbol.asyncDispose]() {
      // If the server is gone, that is what is reported.
      if (!isKept) await closeState(target.url, source).catch(() => {});
    },
  };
}

export interface Filled extends AsyncDisposable {
  readonly tables: readonly Copied[];
  readonly wasThere: boolean;
  /** Without it, disposing empties what was filled. */
  readonly keep: () => void;
}

export async function fillTarget({
  from,
  target,
  rules,
  moved,
  host,
  address,
  signal,
  say,
}: FillOptions): Promise<Filled> {
  // Somebody else's tables must not be migrated.
  const found = await compareTarget({ from, target, rules, moved, address, signal, say });
  if (isOnPostgres(target)) await refuseUsedDatabase(moved.home, target);
  if (found)
    return { tables: found, wasThere: true, keep: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  await migrate(target, host);
  const to = await openSide('target', address.url, moved);
  let isKept = false;
  try {
    await to.empty(sharedNames);
    const tables = await matchTables(from, to, rules);
    const copied = await copyTables(from, to, tables, {
      signal,
      onTable: (table) => say(`Copying ${table}`),
    });
    return {
      tables: copied,
      wasThere: false,
      keep: () => void (isKept = true),
      async [Symbol.asyncDispose]() {
        // If the server is gone, the next move compares what is left there.
        if (!isKept) await to.empty([...tables.map(({ name }) => name), ...rules.indexes]).catch(() => {});
        await to[Symbol.asyncDispose]();
      },
    };
  } catch (cause) {
    await to[Symbol.asyncDispose]();
    throw cause;
  }
}

/** What the target has already: all that would be copied. Undefined: nothing. Throws PEG_USAGE where it has anything else. */
export async function compareTarget({
  from,
  target,
  rules,
  moved,
  address,
  signal,
  say,
}: Omit<FillOptions, 'host'>): Promise<readonly Copied[] | undefined> {
  const there = await contentsOf({ target, rules, moved, address });
  if (there === undefined) return undefined;
  say('Comparing with what is there');
  await using to = await openSide('target', address.url, moved);
  const tables = await matchTables(from, to, rules).catch(() => undefined);
  const found = tables && (await isCopied(from, to, tables, signal));
  if (!found || (await openJobsIn(target)).length > 0) throw isTaken(target.name, there, address);
  return found;
}

/** What a target has that is not empty, in words. Undefined: nothing. */
export async function contentsOf({
  target,
  rules,
  moved,
  address,
}: Pick<FillOptions, 'target' | 'rules' | 'moved' | 'address'>): Promise<string | undefined> {
  if (!isOnPostgres(target) && !target.isThere()) return undefined;
  await using side: TargetSide = await openSide('target', address.url, moved);
  const all = await countTables(side, rules);
  const rows = all.filter(({ name }) => !sharedNames.includes(name));
  // Files alone are left of a move to a file that was killed before it had copied all rows.
  const counted = !isOnPostgres(target) && rows.length === 0 ? [] : all;
  const jobs = await openJobsIn(target);
  if (counted.length === 0 && jobs.length === 0) return undefined;
  return [
    ...counted.map(({ name, rows }) => `${name} (${plural(rows, 'row')})`),
    ...(jobs.length > 0 ? [plural(jobs.length, 'waiting job')] : []),
  ].join(', ');
}

const isTaken = (name: string, there: string, { url }: Address): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `${name} is not empty, and what it has is not a copy of this home's state: ${there}. ${
      url === undefined
        ? 'Move that file away, if it is no longer needed'
        : 'Name an empty database; or, if nothing there is needed, run `drop schema if exists pegboard, pegboard_jobs cascade` in it'
    }. Nothing was changed.`,
  );
