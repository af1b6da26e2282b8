import { basename } from 'node:path';
import { secretMembers } from './secret-members.ts';
import type {
  ForeignHome,
  ForeignMemory,
  ForeignPerson,
  ForeignSchedule,
  ForeignServer,
  Found,
  LeftOut,
} from './foreign-home.ts';
import { joinFound } from './join-found.ts';
import { readPeople, readSchedule, readServer, secretLeft, type ForeignTiming } from './read-rights.ts';
import { openForeignFolder, type ForeignFolder } from './read-folder.ts';
import { readJson } from './read-json.ts';
import { readIdentity } from './read-identity.ts';
import { dayIn, readMemories } from './read-memories.ts';
import { readSkills } from './read-skills.ts';
import { splitMarkdown } from './split-memory.ts';
import { listOf, type Members, membersOf, trimmedText } from 'pegboard/kit';

const identity = ['SOUL.md', 'IDENTITY.md', 'USER.md'];
const otherTexts = ['AGENTS.md', 'TOOLS.md', 'HEARTBEAT.md', 'BOOTSTRAP.md'];

/** Reads a state folder of OpenClaw, or a workspace of it alone. Throws ENOENT when there is no such folder. */
export function readOpenClaw(path: string): ForeignHome {
  const folder = openForeignFolder(path);
  const leftOut: LeftOut[] = [];
  const workspace = ['workspace', 'workspace.default'].find((name) => folder.list(name).length > 0) ?? '.';
  // For the links in it, which are left out.
  folder.list('cron');
  const inWorkspace = (name: string): string => (workspace === '.' ? name : `${workspace}/${name}`);
  const files = identity.flatMap((name) => readIdentity(folder, inWorkspace(name), name, leftOut));
  for (const name of otherTexts) {
    const from = inWorkspace(name);
    if (folder.bytes(from))
      leftOut.push({
        what: name,
        from,
        why: 'its instructions are about the tools of OpenClaw; copy what you want to keep',
      });
  }
  const skills = readSkills(folder, [inWorkspace('skills'), ...(workspace === '.' ? [] : ['skills'])]);
  const { servers, people } = readSettings(folder, workspace, leftOut);
  const schedules = readSchedules(folder, leftOut);
  const memories = readMemories(memoriesIn(folder, inWorkspace));
  const allowed = joinFound([people, readAllowed(folder, leftOut)]);
  return {
    program: 'OpenClaw',
    space: 'openclaw',
    folder: folder.path,
    files: [...files, ...skills.files],
    memories: memories.taken,
    schedules: schedules.taken,
    people: allowed.taken,
    servers: servers.taken,
    leftOut: [
      ...leftOut,
      ...memories.leftOut,
      ...schedules.leftOut,
      ...allowed.leftOut,
      ...servers.leftOut,
      ...skills.leftOut,
      ...folder.leftOut,
    ],
  };
}

function memoriesIn(folder: ForeignFolder, inWorkspace: (name: string) => string): readonly ForeignMemory[] {
  const lasting = ['MEMORY.md', 'memory.md'].map(inWorkspace).find((name) => folder.bytes(name));
  const days = folder
    .list(inWorkspace('memory'))
    .flatMap(({ name }) =>
      /^\d{4}-\d\d-\d\d[\w.-]*\.md$/.test(name) ? [inWorkspace(`memory/${name}`)] : [],
    );
  return [...(lasting === undefined ? [] : [lasting]), ...days].flatMap((from) => {
    const date = dayIn(basename(from));
    return splitMarkdown(folder.text(from) ?? '').map((text) => ({
      text,
      from,
      ...(date !== undefined && { date }),
    }));
  });
}

function readSettings(
  folder: ForeignFolder,
  workspace: string,
  leftOut: LeftOut[],
): { readonly servers: Found<ForeignServer>; readonly people: Found<ForeignPerson> } {
  const [file] = ['openclaw.json', 'clawdbot.json', 'moltbot.json', 'moldbot.json'].filter((name) =>
    folder.bytes(name),
  );
  const settings = file === undefined ? {} : readJson(folder, file, leftOut);
  if (file === undefined) return { servers: joinFound([]), people: joinFound([]) };
  const elsewhere = trimmedText(membersOf(membersOf(settings['agents'])['defaults'])['workspace']);
  if (elsewhere !== '' && workspace === '.')
    leftOut.push({
      what: 'workspace',
      from: file,
      why: `it lies elsewhere (${elsewhere}): import that folder too`,
    });
  const { mcp, channels, ...others } = settings;
  for (const at of secretMembers({ ...others, channels })) leftOut.push(secretLeft(at, file));
  return {
    servers: joinFound(
      Object.entries(membersOf(membersOf(mcp)['servers'])).map(([name, entry]) =>
        readServer(name, entry, file),
      ),
    ),
    people: joinFound(
      Object.entries(membersOf(channels)).map(([channel, value]) =>
        readPeople(channel, listOf(membersOf(value)['allowFrom']), file),
      ),
    ),
  };
}

function readSchedules(folder: ForeignFolder, leftOut: LeftOut[]): Found<ForeignSchedule> {
  const from = 'cron/jobs.json';
  const jobs = listOf(readJson(folder, from, leftOut)['jobs']).map(membersOf);
  const found = jobs.map((job, at): Found<ForeignSchedule> => {
    const payload = membersOf(job['payload']);
    const delivery = membersOf(job['delivery']);
    const to = trimmedText(delivery['to'] ?? payload['to']);
    const channel = trimmedText(delivery['channel'] ?? payload['channel']);
    const name = trimmedText(job['name']) || trimmedText(job['id']) || `${at + 1} of ${jobs.length}`;
    if (job['enabled'] === false)
      return { taken: [], leftOut: [{ what: `schedule ${name}`, from, why: 'it was switched off' }] };
    return readSchedule(
      {
        name,
        from,
        prompt: trimmedText(payload['message'] ?? payload['text']),
        ...(to !== '' && { chat: `${channel}/${to}` }),
      },
      timingOf(membersOf(job['schedule'])),
    );
  });
  return joinFound(found);
}

function timingOf(schedule: Members): ForeignTiming {
  const { kind, expr, at, everyMs, tz, atMs } = schedule;
  if (kind === 'cron') return { cron: trimmedText(expr), timezone: trimmedText(tz) };
  if (kind === 'every' && typeof everyMs === 'number') return { everyMinutes: everyMs / 60_000 };
  const moment = new Date(typeof atMs === 'number' ? atMs : trimmedText(at));
  return kind === 'at' && !Number.isNaN(moment.getTime()) ? { at: moment.toISOString() } : {};
}

function readAllowed(folder: ForeignFolder, leftOut: LeftOut[]): Found<ForeignPerson> {
  const found = folder.list('credentials').map(({ name }): Found<ForeignPerson> => {
    const [, channel] = /^([a-z]+)(?:-[\w.-]+)?-allowFrom\.json$/.exec(name) ?? [];
    const from = `credentials/${name}`;
    if (channel === undefined)
      return { taken: [], leftOut: [{ what: 'credentials', from, why: 'secrets are not taken' }] };
    return readPeople(channel, listOf(readJson(folder, from, leftOut)['allowFrom']), from);
  });
  return joinFound(found);
}
