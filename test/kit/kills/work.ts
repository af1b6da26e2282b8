/**
 * Works on a home until it is killed: stores memories, has conversations, stores secrets, writes files, creates
 * schedules and runs them, all at once. Reports each action on stdout as a JSON line. Arguments: the home's folder, the
 * real time at which its fast clock began, a number that is higher than that of the previous process.
 */
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConversations } from '../../../host/store/conversations/conversations.ts';
import { createHistory } from '../../../host/store/conversations/history.ts';
import { createPluginTables } from '../../../host/store/database/plugin-tables.ts';
import { coreTables } from '../core-tables.ts';
import { openSecrets } from '../../../host/store/secrets/secrets.ts';
import { openPath } from '../../../plugins/builtin-core/filesystem/access/open-path.ts';
import { replaceFile } from '../../../plugins/builtin-core/filesystem/edit/replace-file.ts';
import { createRoots } from '../../../plugins/builtin-core/filesystem/access/roots.ts';
import { archiveMemory, storeMemory } from '../../../plugins/builtin-core/memory/memories.ts';
import type { MemoryTables } from '../../../plugins/builtin-core/memory/tables.ts';
import { indexConversation } from '../../../plugins/builtin-core/memory/recall/turns.ts';
import { migrations } from '../../../plugins/builtin-core/migrations.ts';
import { toIso } from '../../../plugins/builtin-core/schedule/claims.ts';
import { openScheduleRig } from '../../plugins/builtin-core/schedule/kill-rig.ts';
import { fileText, secretValue, type Done } from './done.ts';

const [home, began, life] = process.argv.slice(2) as [string, string, string];
const say = (done: Done): void => void writeSync(1, `${JSON.stringify(done)}\n`);
const fail = (cause: unknown): never => {
  say({ error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) });
  process.exit(1);
};

flushCompileCache();
const rig = openScheduleRig(home, Number(began), { failed: fail, longestRunMs: 3 });
const tables = await createPluginTables<MemoryTables>(rig.database, coreTables, migrations)
  .open()
  .catch(fail);
const secrets = openSecrets(join(home, 'data/secrets/secrets.json'), { onValue: () => {} });
const roots = createRoots(home, processSurroundings(), [], fail);
const conversations = createConversations(rig.database);
const history = createHistory(rig.database);

async function remember(at: number): Promise<void> {
  const content = `memory ${life}x${at} of a child`;
  const common = { category: 'note', tags: ['killed'], origin: 'told', sources: [] } as const;
  const { id } = await storeMemory(tables, { ...common, content });
  say({ stored: id, content });
  if (at % 3 === 1) {
    const better = `better memory ${life}x${at} of a child`;
    const newer = await storeMemory(tables, { ...common, content: better, supersedes: id });
    say({ stored: newer.id, content: better, supersedes: id });
  }
  if (at % 3 === 2) {
    await archiveMemory(tables, id);
    say({ archived: id });
  }
}

async function talk(at: number): Promise<void> {
  const conversation = await conversations.getOrCreate({ source: 'cli', externalId: 'cli' });
  const text = `said ${life}x${at}`;
  await using turn = await conversations.openTurn(conversation.id, { text, agent: 'a' });
  say({ said: turn.userMessageId, text });
  const reply = `heard ${life}x${at}`;
  await turn.finish(reply);
  say({ said: turn.messageId, text: reply });
  await indexConversation(tables, history, conversation);
}

async function keepSecret(at: number): Promise<void> {
  const [secret, version] = [`KEY_${at % 3}`, Number(life) * 10_000 + at];
  await secrets.set(secret, secretValue(version), 'owner');
  say({ secret, version });
}

async function writeFile(at: number): Promise<void> {
  const [file, version] = [`note-${at % 3}.txt`, Number(life) * 10_000 + at];
  using reached = openPath(roots, file);
  await replaceFile(reached, Buffer.from(fileText(version)));
  say({ file, version });
}

async function makeSchedule(at: number): Promise<void> {
  const text = `schedule ${life}x${at}`;
  const now = rig.clock.now();
  const cron = at === 0 ? '*/7 * * * *' : at === 1 ? '*/3 * * * *' : null;
  const scheduled = await rig.store.add({
    kind: 'instruction',
    timezone: 'Europe/Berlin',
    agent: null,
    creator: 'test',
    channel: null,
    chat: null,
    created_at: toIso(now),
    limits: null,
    untrusted: null,
    paused_at: null,
    asked_at: null,
    handled_until: toIso(now),
    text,
    cron,
    run_at: cron === null ? toIso(now + 60_000 * (1 + (at % 20))) : null,
    catch_up: at === 0 ? 'all' : at === 1 ? 'skip' : 'run_once',
  });
  say({ scheduled, text });
  if (at % 4 === 3 && (await rig.store.cancel(scheduled))) say({ cancelled: scheduled });
}

/** SQLite answers synchronously: without a pause, files and timers would never get their turn. */
async function keepAtIt(work: (at: number) => Promise<void>): Promise<void> {
  for (let at = 0; ; at++) {
    await work(at);
    await delay(1);
  }
}
await rig
  .start()
  .then(() => Promise.all([remember, talk, keepSecret, writeFile, makeSchedule].map(keepAtIt)))
  .catch(fail);
