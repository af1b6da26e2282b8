import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { isSecretName, listOf, type Members, membersOf, messageOf, trimmedText, wordOf } from 'pegboard/kit';
import type {
  ForeignHome,
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
import { readMemories } from './read-memories.ts';
import { readSkills } from './read-skills.ts';
import { secretMembers } from './secret-members.ts';
import { splitSections } from './split-memory.ts';

/** Reads a home of Hermes Agent, or one of its profiles. Throws ENOENT when there is no such folder. */
export function readHermes(path: string): ForeignHome {
  const folder = openForeignFolder(path);
  const leftOut: LeftOut[] = [];
  // For the links in them, which are left out.
  for (const place of ['memories', 'cron']) folder.list(place);
  const user = readIdentity(folder, 'memories/USER.md', 'USER.md', leftOut).map((file) => ({
    ...file,
    content: Buffer.from(splitSections(Buffer.from(file.content).toString('utf8')).join('\n\n') + '\n'),
  }));
  const bundled = new Set(
    (folder.text('skills/.bundled_manifest') ?? '').split('\n').map((line) => line.split(':')[0]!.trim()),
  );
  const skills = readSkills(folder, ['skills'], (name) => bundled.has(name));
  const identity = readIdentity(folder, 'SOUL.md', 'SOUL.md', leftOut);
  const from = 'memories/MEMORY.md';
  const memories = readMemories(splitSections(folder.text(from) ?? '').map((text) => ({ text, from })));
  const servers = readSettings(folder, leftOut);
  const schedules = readSchedules(folder, leftOut);
  const people = joinFound([readVariables(folder, leftOut), readPaired(folder, leftOut)]);
  return {
    program: 'Hermes Agent',
    space: 'hermes',
    folder: folder.path,
    files: [...identity, ...user, ...skills.files],
    memories: memories.taken,
    schedules: schedules.taken,
    people: people.taken,
    servers: servers.taken,
    leftOut: [
      ...leftOut,
      ...memories.leftOut,
      ...schedules.leftOut,
      ...people.leftOut,
      ...servers.leftOut,
      ...skills.leftOut,
      ...folder.leftOut,
    ],
  };
}

function readSettings(folder: ForeignFolder, leftOut: LeftOut[]): Found<ForeignServer> {
  const from = 'config.yaml';
  const text = folder.text(from);
  if (text === undefined) return joinFound([]);
  let value: unknown;
  try {
    // Its own reader takes all of YAML, anchors too. So few aliases can't grow into a large document.
    value = parse(text, { maxAliasCount: 100, logLevel: 'silent' });
  } catch (cause) {
    const [problem = ''] = messageOf(cause).split('\n', 1);
    leftOut.push({ what: 'settings', from, why: `it can't be parsed: ${problem.replace(/:$/, '')}` });
  }
  const { mcp_servers: servers, ...others } = membersOf(value);
  for (const name of secretMembers(others)) leftOut.push(secretLeft(name, from));
  return joinFound(Object.entries(membersOf(servers)).map(([name, entry]) => readServer(name, entry, from)));
}

function readVariables(folder: ForeignFolder, leftOut: LeftOut[]): Found<ForeignPerson> {
  const from = '.env';
  const people: Found<ForeignPerson>[] = [];
  for (const [name, value = ''] of Object.entries(parseEnv(folder.text(from) ?? ''))) {
    const [, channel] = /^([A-Z]+)_ALLOWED_USERS$/.exec(name) ?? [];
    if (channel !== undefined) people.push(readPeople(channel.toLowerCase(), value.split(','), from));
    else if (value !== '' && isSecretName(name)) leftOut.push(secretLeft(name, from));
  }
  return joinFound(people);
}

function readSchedules(folder: ForeignFolder, leftOut: LeftOut[]): Found<ForeignSchedule> {
  const from = 'cron/jobs.json';
  const jobs = listOf(readJson(folder, from, leftOut)['jobs']).map(membersOf);
  const found = jobs.map((job, at): Found<ForeignSchedule> => {
    const { script, no_agent: noAgent, enabled, deliver, origin } = job;
    const name = trimmedText(job['name']) || trimmedText(job['id']) || `${at + 1} of ${jobs.length}`;
    const what = `schedule ${name}`;
    const { platform, chat_id: chatId } = membersOf(origin);
    const chat =
      deliver === 'origin'
        ? `${trimmedText(platform)}/${wordOf(chatId)}`
        : trimmedText(deliver).replace(':', '/');
    const left = (why: string): Found<ForeignSchedule> => ({ taken: [], leftOut: [{ what, from, why }] });
    if (enabled === false) return left('it was switched off');
    if (noAgent === true || trimmedText(script) !== '') return left('it runs a script of Hermes');
    return readSchedule(
      { name, from, prompt: trimmedText(job['prompt']), chat },
      timingOf(membersOf(job['schedule'])),
    );
  });
  return joinFound(found);
}

function timingOf({ kind, expr, minutes, run_at: runAt }: Members): ForeignTiming {
  if (kind === 'cron') return { cron: trimmedText(expr) };
  if (kind === 'interval' && typeof minutes === 'number') return { everyMinutes: minutes };
  const moment = new Date(trimmedText(runAt));
  return kind === 'once' && !Number.isNaN(moment.getTime()) ? { at: moment.toISOString() } : {};
}

/** Whom Hermes has paired: a file for each channel, with ids as keys. */
function readPaired(folder: ForeignFolder, leftOut: LeftOut[]): Found<ForeignPerson> {
  const people: Found<ForeignPerson>[] = [];
  for (const at of ['pairing', 'platforms/pairing']) {
    for (const { name } of folder.list(at)) {
      const [, channel] = /^([a-z]+)-approved\.json$/.exec(name) ?? [];
      const from = `${at}/${name}`;
      if (channel !== undefined)
        people.push(readPeople(channel, Object.keys(readJson(folder, from, leftOut)), from));
    }
  }
  return joinFound(people);
}
