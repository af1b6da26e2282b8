import { isDeepStrictEqual } from 'node:util';
import { pegboard, PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { loadConfigWithoutSecrets, quoteWord, writeServer } from 'pegboard/kit';
import { runPluginCommand } from 'pegboard/terminal';
import type { ImportOptions, ImportReport } from './report.ts';
import type { ForeignHome, ForeignSchedule, LeftOut } from './foreign-home.ts';

type Rights = Pick<ImportReport, 'schedules' | 'people' | 'servers' | 'renamed' | 'known' | 'leftOut'>;

/** What was done with each of several things. */
interface Outcome {
  readonly added: readonly string[];
  readonly known: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * What acts by itself or lets others act: schedules are paused, and people and servers are taken only if the owner said
 * so.
 */
export async function grantRights(home: string, found: ForeignHome, options: ImportOptions): Promise<Rights> {
  const schedules = await addSchedules(found, options);
  const people = await addPeople(found, options);
  const servers = await addServers(home, found, options);
  return {
    schedules: schedules.added,
    people: people.added,
    servers: servers.added,
    renamed: found.servers.flatMap(({ name: to, written: from }) =>
      from !== to && servers.added.includes(to) ? [{ from, to }] : [],
    ),
    known: schedules.known + people.known + servers.known,
    leftOut: [...schedules.leftOut, ...people.leftOut, ...servers.leftOut],
  };
}

interface StoredSchedule {
  readonly text: string;
  readonly cron: string | null;
  readonly run_at: string | null;
}

async function addSchedules(
  { schedules, space }: ForeignHome,
  { dryRun, signal, openHost, isFresh }: ImportOptions,
): Promise<Outcome> {
  const names = schedules.map(({ name }) => name);
  if ((dryRun && isFresh) || schedules.length === 0) return { added: names, known: 0, leftOut: [] };
  const host = await openHost();
  const added: string[] = [];
  const leftOut: LeftOut[] = [];
  const { schedules: stored } = (await runPluginCommand(host, 'schedule list', {
    signal,
    options: { all: true },
  })) as { readonly schedules: readonly StoredSchedule[] };
  for (const schedule of schedules) {
    if (stored.some((one) => isSame(one, schedule))) continue;
    const { name, from, when, prompt, timezone, chat } = schedule;
    try {
      if (!dryRun)
        await runPluginCommand(host, 'schedule add', {
          signal,
          words: [when, prompt],
          options: {
            paused: true,
            ...(timezone !== undefined && { timezone }),
            ...(chat !== undefined && { to: chat }),
          },
          agent: space,
        });
      added.push(name);
    } catch (cause) {
      if (!(cause instanceof PegboardError)) throw cause;
      leftOut.push({ what: `schedule ${name}`, from, why: cause.message });
    }
  }
  return { added, known: schedules.length - added.length - leftOut.length, leftOut };
}

const isSame = ({ text, cron, run_at: runAt }: StoredSchedule, { prompt, when }: ForeignSchedule): boolean =>
  text === prompt && (cron === when || runAt === when);

async function addPeople(
  { people, program, folder, space }: ForeignHome,
  { dryRun, people: isWanted, signal, openHost, isFresh }: ImportOptions,
): Promise<Outcome> {
  const unique = [...new Map(people.map((person) => [person.id, person])).values()];
  const names = unique.map(({ channel, id }) => `${channel}/${id}`);
  if (unique.length === 0) return { added: [], known: 0, leftOut: [] };
  if (!isWanted) {
    const why = `you decide who may talk to your assistant (${names.join(', ')})`;
    return notAsked({ what: 'people', from: unique[0]!.from, why }, '--people', { folder, space });
  }
  if (dryRun && isFresh) return { added: names, known: 0, leftOut: [] };
  const host = await openHost();
  const added: string[] = [];
  if (dryRun) {
    const channels = [...new Set(unique.map(({ channel }) => channel))];
    const paired = await Promise.all(channels.map((channel) => pairedOn(channel, host, signal)));
    const there = new Set(paired.flat());
    const fresh = names.filter((name) => !there.has(name));
    return { added: fresh, known: names.length - fresh.length, leftOut: [] };
  }
  for (const { channel, id } of unique) {
    const answer = await runPluginCommand(host, `${channel} allow`, {
      signal,
      words: [id, `from ${program}`],
    });
    if ((answer as { readonly added: boolean }).added) added.push(`${channel}/${id}`);
  }
  return { added, known: unique.length - added.length, leftOut: [] };
}

/** "telegram/1001" for each who may write already. */
async function pairedOn(channel: string, host: Host, signal: AbortSignal): Promise<readonly string[]> {
  const { paired } = (await runPluginCommand(host, `${channel} list`, { signal })) as {
    readonly paired: readonly { readonly id: string | number }[];
  };
  return paired.map(({ id }) => `${channel}/${id}`);
}

async function addServers(
  home: string,
  { servers, folder, space }: ForeignHome,
  { dryRun, surroundings, servers: isWanted }: ImportOptions,
): Promise<Outcome> {
  if (servers.length === 0) return { added: [], known: 0, leftOut: [] };
  if (!isWanted) {
    const names = servers.map(({ name }) => name).join(', ');
    const why = `they run programs or send data to an address (${names})`;
    return notAsked({ what: 'MCP servers', from: servers[0]!.from, why }, '--servers', { folder, space });
  }
  const { config } = await loadConfigWithoutSecrets(home, surroundings);
  const there = new Map([...config.servers].map(([name, entry]) => [name, entry.config]));
  const added: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const { name, config: entry, from } of servers) {
    const rival = there.get(name);
    if (rival === undefined) {
      if (!dryRun) await writeServer(home, surroundings, name, { ...entry }, { replace: false });
      added.push(name);
      there.set(name, entry);
    } else if (!isDeepStrictEqual(rival, entry))
      leftOut.push({ what: `MCP server ${name}`, from, why: 'there is another one of this name' });
  }
  return { added, known: servers.length - added.length - leftOut.length, leftOut };
}

const notAsked = (
  left: LeftOut,
  option: string,
  { folder, space }: Pick<ForeignHome, 'folder' | 'space'>,
): Outcome => ({
  added: [],
  known: 0,
  leftOut: [{ ...left, command: `${pegboard} import ${space} ${quoteWord(folder)} ${option}` }],
});
