import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../../../../host/store/database/database.ts';
import { createPostgresDatabase } from '../../../../host/store/database/postgres/database.ts';
import { randomFrom } from '../../data/random.ts';
import { startPostgres } from '../../postgres.ts';
import { eventually } from '../hosts.ts';
import { feed, readTables, untilSettled, type StoredLoad } from './feed.ts';
import { createTables, type LoadEvent, type LoadSize, type LoadTables } from './load.ts';
import { openNetwork, type Network } from './proxy.ts';

export interface ChaosPlan {
  readonly store: 'postgres' | 'sqlite';
  /** At a time. */
  readonly hosts: number;
  readonly size: LoadSize;
  /** Milliseconds over which messages arrive. All that is done to the hosts falls into them. */
  readonly feedMs: number;
  readonly kills: number;
  /** Of 14 s, as the cuts. */
  readonly freezes?: number;
  /** Of the network between one host and the server. */
  readonly cuts?: number;
  /** Of the database server, which starts again at once. */
  readonly crashes?: number;
  readonly seed?: number;
}

export interface Disturbance {
  readonly kind: 'kill' | 'freeze' | 'cut' | 'crash';
  /** As in events; empty for a crash. */
  readonly host: string;
  /** Date.now(), also when it was over: the host runs or is connected again, the server answers. */
  readonly at: number;
  readonly until: number;
}

export interface ChaosRecord extends StoredLoad {
  readonly plan: ChaosPlan;
  readonly events: readonly LoadEvent[];
  readonly disturbances: readonly Disturbance[];
  /** Date.now() when the schedules began, and until when their occurrences are judged. */
  readonly begunAt: number;
  readonly fedAt: number;
}

/** Longer than others wait for a sign of life. */
const standstillMs = 14_000;

/** Lets hosts work on the load, disturbs them, and returns what happened after all work has ended. */
export async function runChaos(plan: ChaosPlan): Promise<ChaosRecord> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.adopt(mkdtempDisposableSync(join(tmpdir(), 'pegboard-chaos-')), (own) =>
    own.remove(),
  );
  const server = plan.store === 'postgres' ? opened.use(await startPostgres()) : undefined;
  const url = server ? await server.createDatabase() : join(folder.path, 'load.db');
  const database = opened.use(server ? createPostgresDatabase(url) : createDatabase(url));
  const db: LoadTables = await database.open();
  await createTables(db, server !== undefined);

  const eventsFile = join(folder.path, 'events');
  const events = (): LoadEvent[] => {
    if (!existsSync(eventsFile)) return [];
    const lines = readFileSync(eventsFile, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as LoadEvent);
  };
  const networks = new Map<string, Network>();
  const names = Array.from({ length: plan.hosts }, (_, at) => String.fromCodePoint(97 + at));
  if (plan.cuts) for (const name of names) networks.set(name, opened.use(await openNetwork(server!.port)));
  const urlOf = (name: string): string => {
    const network = networks.get(name);
    return network ? url.replace(`:${server!.port}/`, `:${network.port}/`) : url;
  };
  const hosts = opened.use(
    startHosts(names, (name) => [join(import.meta.dirname, 'load-host.ts'), urlOf(name), name, eventsFile]),
  );
  await eventually(() => events().filter(({ kind }) => kind === 'ready').length === plan.hosts);

  const begunAt = Date.now();
  const disturbing = disturb(plan, hosts, networks, server);
  await feed(db, plan.size, { begunAt, forMs: plan.feedMs });
  const disturbances = await disturbing;
  const fedAt = Date.now();
  await untilSettled(db, plan.size, fedAt);
  // One that was frozen may still want to write.
  await delay(1_000);
  await hosts[Symbol.asyncDispose]();
  return { plan, events: events(), disturbances, begunAt, fedAt, ...(await readTables(db)) };
}

interface Hosts extends AsyncDisposable {
  /** Of those that are neither frozen nor cut off. */
  healthy(): readonly string[];
  /** Undefined: healthy again. */
  set(name: string, trouble: string | undefined): void;
  idOf(name: string): string;
  signal(name: string, signal: NodeJS.Signals): void;
  /** Kills it, and starts it again. */
  kill(name: string): Promise<void>;
}

function startHosts(names: readonly string[], argumentsOf: (name: string) => readonly string[]): Hosts {
  const running = new Map<string, ChildProcess>();
  const troubled = new Map<string, string>();
  const start = (name: string): void =>
    void running.set(
      name,
      spawn(process.execPath, ['--no-warnings', ...argumentsOf(name)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  for (const name of names) start(name);
  return {
    healthy: () => names.filter((name) => !troubled.has(name)),
    set: (name, trouble) =>
      void (trouble === undefined ? troubled.delete(name) : troubled.set(name, trouble)),
    idOf: (name) => `${name}/${running.get(name)!.pid}`,
    signal: (name, signal) => void running.get(name)!.kill(signal),
    async kill(name) {
      await end(running.get(name)!);
      start(name);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.values()].map(end));
    },
  };
}

/** Kills come at random beside everything else; of the rest, one thing happens after the other. */
async function disturb(
  plan: ChaosPlan,
  hosts: Hosts,
  networks: ReadonlyMap<string, Network>,
  server: { stop(): Promise<void>; start(): Promise<void> } | undefined,
): Promise<readonly Disturbance[]> {
  const { kills, freezes = 0, cuts = 0, crashes = 0, feedMs, seed = 1 } = plan;
  const random = randomFrom(seed);
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const done: Disturbance[] = [];
  const note = async (kind: Disturbance['kind'], host: string, work: () => Promise<void>): Promise<void> => {
    const at = Date.now();
    await work();
    done.push({ kind, host, at, until: Date.now() });
  };
  const standStill = async (kind: 'freeze' | 'cut'): Promise<void> => {
    const name = oneOf(hosts.healthy());
    hosts.set(name, kind);
    await note(kind, hosts.idOf(name), async () => {
      if (kind === 'freeze') hosts.signal(name, 'SIGSTOP');
      else networks.get(name)!.cut();
      await delay(standstillMs);
      if (kind === 'freeze') hosts.signal(name, 'SIGCONT');
      else networks.get(name)!.mend();
    });
    hosts.set(name, undefined);
  };
  const crash = (): Promise<void> =>
    note('crash', '', async () => {
      await server!.stop();
      await server!.start();
    });
  const slow = shuffled(
    [...repeat('freeze', freezes), ...repeat('cut', cuts), ...repeat('crash', crashes)] as const,
    random,
  );
  const slowly = async (): Promise<void> => {
    const standstills = (freezes + cuts) * standstillMs;
    const pauseMs = Math.max(0, feedMs - standstills) / (slow.length + 1);
    for (const kind of slow) {
      await delay(pauseMs);
      await (kind === 'crash' ? crash() : standStill(kind));
    }
  };
  const killing = async (): Promise<void> => {
    for (let kill = 0; kill < kills; kill++) {
      await delay((feedMs / kills) * (0.6 + random() * 0.6));
      const name = oneOf(hosts.healthy());
      await note('kill', hosts.idOf(name), () => hosts.kill(name));
    }
  };
  await Promise.all([slowly(), killing()]);
  return done;
}

const repeat = <Kind extends string>(kind: Kind, times: number): readonly Kind[] =>
  Array.from({ length: times }, () => kind);

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
