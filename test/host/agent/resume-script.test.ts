import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import type { Ask } from '../../../host/api/ask.ts';
import type { IncomingMessage, Reply } from '../../../host/api/conversation.ts';
import type { Host } from '../../../host/host.ts';
import { createDatabase } from '../../../host/store/database/database.ts';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';

const what = 'parameters: [{ name: what, type: string, required: true }]\n';
const tool = (id: string, rest: string): { readonly [file: string]: string } => ({
  [`spaces/work/agent/tools/${id}.md`]: manifest(id, what + rest),
});
const files = {
  ...tool('look', "readOnly: true\ncommand: printf 'looked %s\\n' {{what}} >> notes.txt; printf %s {{what}}"),
  ...tool('mark', "command: printf 'marked %s\\n' {{what}} >> notes.txt"),
  ...tool('sign', "confirm: true\ncommand: printf 'signed %s\\n' {{what}} >> notes.txt"),
};

/** A script that reads, has an effect, asks, and has another one. */
const code = `
const seen = await tools.work.look({ what: 'first' });
await tools.work.mark({ what: seen });
const rows = Array.from({ length: 1000 }, (_, number) => ({ number }));
console.log('before the question');
const signed = await tools.work.sign({ what: 'a' }).then(() => 'signed', ({ code }) => code);
await tools.work.mark({ what: 'last' });
return { seen, rows: rows.length, signed };`;
const scripted = (program: string) => [
  { toolCalls: [{ name: 'run_script', arguments: { code: program }, id: 'c' }] },
  { text: 'done' },
];

const notesOf = async (home: AgentHome): Promise<readonly string[]> =>
  (await home.home.read('spaces/work/notes.txt').catch(() => '')).split('\n').filter(Boolean);

/** The same home in another host: nothing is remembered but what is stored. */
const restart = (home: AgentHome): Promise<Host> =>
  createHost({ home: home.home.path, environment: { PATH: process.env['PATH'], TIMEZONE: 'UTC' } });

async function sayAfterRestart(home: AgentHome, message: Partial<IncomingMessage>): Promise<Reply> {
  await using host = await restart(home);
  return await host.converse({ source: 'cli', externalId: 'cli', text: 'go', key: 'k', ...message });
}

/** Whoever is asked takes no part until the host stops, which it does once the script is saved. */
async function stopAtQuestion(home: AgentHome, isStored = true): Promise<void> {
  const stopping = new AbortController();
  await using database = createDatabase(databaseFileOf(home.home.path));
  const ask: Ask = async (_question, signal) => {
    await expect.poll(() => savedIn(database)).toBe(isStored ? 1 : 0);
    queueMicrotask(() => stopping.abort());
    return await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  };
  const reply = home.say('go', { key: 'k', suspend: stopping.signal, ask });
  await expect(reply).rejects.toMatchObject({ code: 'PEG_CANCELLED' });
}

const savedIn = async (database: ReturnType<typeof createDatabase>): Promise<number> => {
  const open = await database.open();
  return (await open.selectFrom('paused_calls').select('call_id').execute()).length;
};

const accept: Ask = async () => ({ action: 'accept', content: { answer: 'once' } });
const decline: Ask = async () => ({ action: 'decline' });

test.for([
  ['accepted', accept, 'signed', ['signed a']],
  ['declined', decline, 'PEG_DECLINED', []],
] as const)(
  'a script whose host ends at a question goes on from there when it is %s, and repeats no call',
  async ([, ask, signed, effects]) => {
    await using home = await openAgentHome(scripted(code), { files });
    await stopAtQuestion(home);
    const reply = await sayAfterRestart(home, { ask });
    expect(reply).toMatchObject({ text: 'done', toolCalls: [{ id: 'c', ok: true }] });
    expect(reply).not.toHaveProperty('uncertain');
    const result = home.model.requests[1]!.messages.at(-1).content as string;
    expect(result).toContain(`{"seen":"first","rows":1000,"signed":"${signed}"}`);
    expect(result).toContain('before the question');
    expect(await notesOf(home)).toEqual(['looked first', 'marked first', ...effects, 'marked last']);
    await using database = createDatabase(databaseFileOf(home.home.path));
    expect(await savedIn(database)).toBe(0);
  },
);

test('a script that had several questions open at once goes on with all of them', async () => {
  await using home = await openAgentHome(
    scripted(`
      const marked = tools.work.mark({ what: 'beside' });
      const all = await Promise.all(['a', 'b', 'c'].map((what) => tools.work.sign({ what }).then(() => what, () => 'no')));
      await marked;
      return all;`),
    { files },
  );
  await stopAtQuestion(home);
  let asked = 0;
  await sayAfterRestart(home, {
    ask: async (question, signal) => (++asked === 2 ? decline : accept)(question, signal),
  });
  expect(asked).toBe(3);
  expect(home.model.requests[1]!.messages.at(-1).content).toContain('["a","no","c"]');
  expect((await notesOf(home)).toSorted()).toEqual(['marked beside', 'signed a', 'signed c']);
});

test('a script that another version has saved counts as cut off, and so does one after a secret was stored', async () => {
  for (const [key, spoil] of [
    ['version', (home: AgentHome) => changeVersion(home)],
    ['secret', (home: AgentHome) => storeSecret(home)],
  ] as const) {
    await using home = await openAgentHome(scripted(code), { files });
    await stopAtQuestion(home);
    await spoil(home);
    const reply = await sayAfterRestart(home, { ask: accept });
    expect(reply.uncertain, key).toMatchObject([{ id: 'c', ok: false }]);
    expect(await notesOf(home), key).toEqual(['looked first', 'marked first']);
  }
});

async function changeVersion(home: AgentHome): Promise<void> {
  await using database = createDatabase(databaseFileOf(home.home.path));
  const open = await database.open();
  await open.updateTable('paused_calls').set({ version: 'another' }).execute();
}

async function storeSecret(home: AgentHome): Promise<void> {
  await home.host.secrets.set('OTHER', 'hunter2-4711', 'owner');
  await using database = createDatabase(databaseFileOf(home.home.path));
  await expect.poll(() => savedIn(database)).toBe(0);
}
