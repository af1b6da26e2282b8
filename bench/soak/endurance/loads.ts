import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import { connect, type ServerAddress } from '../../kit/client.ts';
import type { BenchHome } from '../../kit/home.ts';
import { commandLine, descendants } from '../../kit/process.ts';
import { changing, changingPlugin, sayManifest, servers } from './home.ts';

/** How often each event should happen. */
export interface Counts {
  readonly turns: number;
  readonly reloads: number;
  readonly fires: number;
  readonly crashes: number;
}

/** How often each event has happened so far. */
export type Progress = { -readonly [what in keyof Counts]: number };

const callers = 4;
const conversations = 40;

/** Sends messages to the agent, concurrently in different conversations. */
export async function talk(address: ServerAddress, turns: number, progress: Progress): Promise<void> {
  const caller = async (): Promise<void> => {
    const client = await connect(address);
    while (progress.turns < turns) {
      const turn = progress.turns++;
      const { content, isError } = await client.callTool(
        {
          name: 'driving_talk',
          arguments: { chat: `chat ${turn % conversations}`, text: `This is message ${turn}.` },
        },
        { timeout: 300_000 },
      );
      if (isError) throw new Error(`message ${turn} was answered with ${JSON.stringify(content)}`);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** Saves a manifest and a plugin alternately. */
export async function reload(home: BenchHome, reloads: number, pace: Pace): Promise<void> {
  for (let save = 1; save <= reloads; save++) {
    await pace.until(save / reloads);
    if (save % 2 === 0) writeFileSync(home.path(changing.manifest), sayManifest(save));
    else writeFileSync(home.path(changing.plugin), changingPlugin(save));
    pace.progress.reloads = save;
    await sleep(100);
  }
}

/** Throws when the last saved version is not in service. */
export async function checkVersions(address: ServerAddress, reloads: number): Promise<void> {
  const client = await connect(address);
  for (const [name, odd] of [
    ['say', 0],
    ['changing_version', 1],
  ] as const) {
    const saved = reloads % 2 === odd ? reloads : reloads - 1;
    const answer = JSON.stringify((await client.callTool({ name, arguments: {} })).content);
    if (!answer.includes(` ${saved}`)) throw new Error(`${name} was saved ${saved} times and says ${answer}`);
  }
  await client.close();
}

/** A server that dies again within ten seconds counts as broken, and is not restarted for a while. */
const betweenKills = 12_000;

/** Kills one server after the other, each when it has been running for long enough. */
export async function crash(pid: number, crashes: number, pace: Pace): Promise<void> {
  const restedAt = new Map<string, number>();
  while (pace.progress.crashes < crashes) {
    await pace.until((pace.progress.crashes + 1) / crashes);
    const name = servers.find((one) => performance.now() > (restedAt.get(one) ?? 0));
    const server = descendants(pid).find((child) => commandLine(child).endsWith(`echo-server.ts ${name}`));
    if (name === undefined || server === undefined) {
      await sleep(100);
      continue;
    }
    process.kill(server, 'SIGKILL');
    restedAt.set(name, performance.now() + betweenKills);
    pace.progress.crashes++;
  }
}

/** Number of runs of schedules so far. */
export async function countFires(home: BenchHome, fires: number, progress: Progress): Promise<void> {
  using database = new DatabaseSync(databaseFileOf(home.folder), { readOnly: true, timeout: 5_000 });
  const count = database.prepare("select count(*) as runs from scheduler_runs where state = 'done'");
  while (progress.fires < fires) {
    progress.fires = Number(count.get()!['runs']);
    await sleep(500);
  }
}

/** Spreads work over the time that answering the messages takes. */
export interface Pace {
  readonly progress: Progress;
  /** Resolves when this share of the messages was answered. */
  until(share: number): Promise<void>;
}

export const paceOf = (progress: Progress, turns: number): Pace => ({
  progress,
  async until(share) {
    while (progress.turns < share * turns * 0.98) await sleep(50);
  },
});
