import { join } from 'node:path';
import type { Surroundings } from '../../api/surroundings.ts';
import { PegboardError } from '../../core/errors.ts';
import { createHost } from '../../create-host.ts';
import { environmentOf } from '../../home-environment.ts';
import { passphraseIn, resolverOf } from '../home-secrets.ts';
import type { Host } from '../../host.ts';
import type { Database } from '../../store/database/database.ts';
import { requireSessionPooling } from '../../core/postgres/session-pooling.ts';
import { whyUnsetIn } from '../../store/secrets/why-unset.ts';
import { readAddress, type Address } from './address.ts';
import { homeDatabase, isOnPostgres } from '../home-database.ts';
import {
  countTables,
  migrate,
  openSide,
  refuseLostJobs,
  refuseUnsealed,
  rulesOf,
  type CountedTable,
  type MovedHome,
  withQueues,
} from './contents.ts';
import { compareTarget, contentsOf } from './fill-target.ts';
import { refuseHeldHome, refuseUsedDatabases } from './in-use.ts';
import { unfinishedSwitch, type Switch } from './put-aside.ts';
import { finishMove, runMove, type Moved } from './run-move.ts';

export interface MoveOptions {
  /** "sqlite", or the address of a Postgres. */
  readonly to: string;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** Called with each step, of the plan and of the move. */
  readonly say: (step: string) => void;
}

/** What a move would do. Nothing has been changed yet. Disposing closes what it has opened. */
export interface MovePlan extends AsyncDisposable {
  /** The names of both databases, without passwords. */
  readonly from: string;
  readonly to: string;
  /** Those with rows. */
  readonly tables: readonly CountedTable[];
  /** The target has all of it already, as after an interrupted move. */
  readonly isThere: boolean;
  /** A move that was interrupted has put the new state into service: what is left is to put the old one aside. */
  readonly isSwitched: boolean;
  /** The name of the secret that the password of the address will be stored as. */
  readonly newSecret: string | undefined;
  redact(text: string): string;
  /** Anything thrown has changed nothing. */
  run(): Promise<Moved>;
}

/**
 * Throws PEG_USAGE when there is nothing to move or no place for it, PEG_BUSY while a host runs, and PEG_DATABASE when one
 * of the databases can't be used.
 */
export async function planMove(
  home: string,
  { to, surroundings, signal, notice, say }: MoveOptions,
): Promise<MovePlan> {
  refuseHeldHome(join(home, 'data/host.lock'));
  await using opened = new AsyncDisposableStack();
  const host = opened.use(await createHost({ home, surroundings, mcp: 'off', oneShot: true, notice }));
  await host.setUpPlugins();
  const { state } = host.config;
  const { secrets } = host;
  const whyUnset = whyUnsetIn(environmentOf(home, surroundings), secrets);
  const address = readAddress(to, { secrets, resolve: resolverOf(home, surroundings), whyUnset });
  await using source = homeDatabase(home, state);
  await using target = homeDatabase(home, address.url);
  const moved = {
    home,
    user: surroundings,
    passphrase: passphraseIn(environmentOf(home, surroundings)),
    written: address.written,
  };
  const done = source.name === target.name ? unfinishedSwitch(home, target.name) : undefined;
  if (done) return planFinish(done, moved, host);
  refusePointless(source, target);
  await refuseUsedDatabases(home, { source, target }, host);
  const tables = await countSource({ host, source, to: target.name }, moved);
  if (isOnPostgres(target)) await withQueues(target, requireSessionPooling);
  const rules = rulesOf(host.plugins.instances);
  const found = await compare({ host, source, target, rules, moved, address, signal, say });
  const kept = opened.move();
  return {
    from: source.name,
    to: target.name,
    tables,
    isThere: found !== undefined,
    isSwitched: false,
    newSecret: address.newSecret?.name,
    redact: (text) => withoutPassword(host.redact(text), address),
    async run() {
      await using closing = kept.move();
      return await runMove({
        moved,
        host,
        source: state,
        address,
        signal,
        say,
        close: () => closing.disposeAsync(),
      });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const planFinish = (done: Switch, moved: MovedHome, host: Host): MovePlan => ({
  from: done.from,
  to: done.to,
  tables: [],
  isThere: false,
  isSwitched: true,
  newSecret: undefined,
  redact: (text) => host.redact(text),
  run: () => finishMove(done, moved),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

function refusePointless(source: Database, target: Database): void {
  const refuse = (what: string): never => {
    throw new PegboardError('PEG_USAGE', `${what} Nothing was changed.`);
  };
  if (!source.isThere())
    refuse(`There is nothing to move: ${source.name} does not exist. Write \`state\` into pegboard.yaml.`);
  if (source.name === target.name) refuse(`The state of this home is in ${source.name} already.`);
  if (isOnPostgres(source) && isOnPostgres(target))
    refuse(
      `The state is on Postgres already (${source.name}). pg_dump and pg_restore take it to another server; change \`state\` in pegboard.yaml then.`,
    );
}

async function countSource(
  { host, source, to }: { readonly host: Host; readonly source: Database; readonly to: string },
  moved: MovedHome,
): Promise<readonly CountedTable[]> {
  await using side = await openSide('source', host.config.state, moved);
  const rules = rulesOf(host.plugins.instances);
  await refuseLostJobs(source, side, rules);
  // Postgres reads piece by piece only within a transaction.
  if (isOnPostgres(source)) await side.fill(() => refuseUnsealed(side, to, moved));
  else await refuseUnsealed(side, to, moved);
  return await countTables(side, rules);
}

/** As the move itself will compare. */
async function compare({
  host,
  source,
  ...options
}: Omit<Parameters<typeof compareTarget>[0], 'from'> & {
  readonly host: Host;
  readonly source: Database;
}): ReturnType<typeof compareTarget> {
  if ((await contentsOf(options)) === undefined) return undefined;
  await migrate(source, host);
  await using from = await openSide('source', host.config.state, options.moved);
  const run = () => compareTarget({ ...options, from });
  let found: Awaited<ReturnType<typeof run>>;
  // Postgres reads piece by piece only within a transaction.
  if (isOnPostgres(source)) await from.fill(async () => void (found = await run()));
  else found = await run();
  return found;
}

const withoutPassword = (text: string, { newSecret }: Address): string =>
  newSecret === undefined ? text : text.replaceAll(newSecret.value, `[secret ${newSecret.name}]`);
