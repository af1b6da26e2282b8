import { parseEnv } from 'node:util';
import { readDocument } from '../../core/documents/document.ts';
import { isSecretName } from '../../core/secrets/secret-names.ts';
import type { ForeignHome, LeftOut } from './foreign-home.ts';
import { peopleLeft, scheduleLeft, secretLeft, serverLeft, type ForeignTiming } from './left-for-owner.ts';
import { openForeignFolder, type ForeignFolder } from './read-folder.ts';
import { readJson } from './read-json.ts';
import { readIdentity } from './read-identity.ts';
import { readSkills } from './read-skills.ts';
import { secretMembers } from './secret-members.ts';
import { splitSections } from './split-memory.ts';
import { listOf, membersOf, textOf, type Members } from './values.ts';

/** Reads a home of Hermes Agent, or one of its profiles. Throws ENOENT when there is no such folder. */
export function readHermes(path: string): ForeignHome {
  const folder = openForeignFolder(path);
  const leftOut: LeftOut[] = [];
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
  const memories = splitSections(folder.text(from) ?? '').map((text) => ({ text, from }));
  readSettings(folder, leftOut);
  readVariables(folder, leftOut);
  readSchedules(folder, leftOut);
  readPeople(folder, leftOut);
  return {
    program: 'Hermes Agent',
    space: 'hermes',
    folder: folder.path,
    files: [...identity, ...user, ...skills.files],
    memories,
    leftOut: [...leftOut, ...skills.leftOut, ...folder.leftOut],
  };
}

function readSettings(folder: ForeignFolder, leftOut: LeftOut[]): void {
  const from = 'config.yaml';
  const text = folder.text(from);
  if (text === undefined) return;
  const { value, diagnostics } = readDocument(text, { path: from, format: 'yaml' });
  const [problem] = diagnostics;
  if (problem) leftOut.push({ what: 'settings', from, why: `it can't be parsed: ${problem.message}` });
  for (const name of Object.keys(membersOf(membersOf(value)['mcp_servers'])))
    leftOut.push(serverLeft(name, from));
  for (const name of secretMembers(value)) leftOut.push(secretLeft(name, from));
}

function readVariables(folder: ForeignFolder, leftOut: LeftOut[]): void {
  const from = '.env';
  for (const [name, value = ''] of Object.entries(parseEnv(folder.text(from) ?? ''))) {
    const [, channel] = /^([A-Z]+)_ALLOWED_USERS$/.exec(name) ?? [];
    if (channel !== undefined) leftOut.push(...peopleLeft(channel.toLowerCase(), value.split(','), from));
    else if (value !== '' && isSecretName(name)) leftOut.push(secretLeft(name, from));
  }
}

function readSchedules(folder: ForeignFolder, leftOut: LeftOut[]): void {
  const from = 'cron/jobs.json';
  for (const job of listOf(readJson(folder, from, leftOut)['jobs']).map(membersOf)) {
    const { script, no_agent: noAgent, enabled, deliver, origin } = job;
    const name = textOf(job['name']) || textOf(job['id']);
    const what = `schedule ${name}`;
    const { platform, chat_id: chatId } = membersOf(origin);
    const chat =
      deliver === 'origin' ? `${textOf(platform)}/${String(chatId)}` : textOf(deliver).replace(':', '/');
    if (enabled === false) leftOut.push({ what, from, why: 'it was switched off' });
    else if (noAgent === true || textOf(script) !== '')
      leftOut.push({ what, from, why: 'it runs a script of Hermes' });
    else
      leftOut.push(
        scheduleLeft(
          { name, from, prompt: textOf(job['prompt']), chat },
          timingOf(membersOf(job['schedule'])),
        ),
      );
  }
}

function timingOf({ kind, expr, minutes, run_at: runAt }: Members): ForeignTiming {
  if (kind === 'cron') return { cron: textOf(expr) };
  if (kind === 'interval' && typeof minutes === 'number') return { everyMinutes: minutes };
  const moment = new Date(textOf(runAt));
  return kind === 'once' && !Number.isNaN(moment.getTime()) ? { at: moment.toISOString() } : {};
}

/** Whom Hermes has paired: a file for each channel, with ids as keys. */
function readPeople(folder: ForeignFolder, leftOut: LeftOut[]): void {
  for (const at of ['pairing', 'platforms/pairing']) {
    for (const { name } of folder.list(at)) {
      const [, channel] = /^([a-z]+)-approved\.json$/.exec(name) ?? [];
      const from = `${at}/${name}`;
      if (channel !== undefined)
        leftOut.push(...peopleLeft(channel, Object.keys(readJson(folder, from, leftOut)), from));
    }
  }
}
