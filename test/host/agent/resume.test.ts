import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import type { IncomingMessage, Reply } from '../../../host/api/conversation.ts';
import { createHost } from '../../../host/create-host.ts';
import { createConversations } from '../../../host/store/conversations/conversations.ts';
import { createDatabase } from '../../../host/store/database/database.ts';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import { createMovedClock } from '../../kit/moved-clock.ts';

const files = {
  'spaces/work/agent/tools/note.md': manifest('note', 'command: echo noted >> notes.txt'),
  // Each ends by itself only when it runs a second time.
  'spaces/work/agent/tools/look.md': manifest(
    'look',
    'readOnly: true\ncommand: echo looked >> looks.txt; test $(wc -l < looks.txt) -gt 1 || while [ ! -e wake ]; do sleep 0.05; done',
  ),
  'spaces/work/agent/tools/change.md': manifest('change', 'command: echo changed >> notes.txt; sleep 61.5'),
  'spaces/work/agent/tools/sign.md': manifest(
    'sign',
    'confirm: true\nparameters: [{ name: password, type: string, required: true }]\ncommand: echo signed >> notes.txt',
  ),
};

const agent = JSON.stringify({ id: 'work', runtime: { max_rounds: 4 } });

const call = (name: string, args: object = {}, id?: string) => ({ name, arguments: args, ...(id && { id }) });
const notesOf = async (home: AgentHome): Promise<string> =>
  await home.home.read('spaces/work/notes.txt').catch(() => '');

/** The same home in another host, as after a restart: nothing is remembered but what is stored. */
async function sayAfterRestart(home: AgentHome, message: Partial<IncomingMessage>): Promise<Reply> {
  await using host = await createHost({
    home: home.home.path,
    environment: { PATH: process.env['PATH'], TIMEZONE: 'UTC' },
  });
  return await host.converse({ source: 'cli', externalId: 'cli', text: 'go', ...message });
}

/** Gives the message and stops its host as soon as `when` says so. */
async function suspendWhen(
  home: AgentHome,
  key: string,
  when: () => boolean,
  more: Partial<IncomingMessage> = {},
): Promise<void> {
  const suspending = new AbortController();
  const timer = setInterval(() => when() && suspending.abort(), 10);
  const reply = home.say('go', { key, suspend: suspending.signal, ...more });
  await expect(reply).rejects.toMatchObject({ code: 'PEG_CANCELLED' });
  clearInterval(timer);
}

const exists = (home: AgentHome, file: string) => () => existsSync(join(home.home.path, 'spaces/work', file));

test('the model is shown the same rounds, with its reasoning, and is not asked again what it has answered', async () => {
  await using home = await openAgentHome(
    [
      { text: 'One.', thinking: 'first', toolCalls: [call('note', {}, 'a'), call('note', {}, 'b')] },
      { text: 'Two.', thinking: 'second', toolCalls: [call('look', {}, 'c')] },
      { text: 'Three.' },
    ],
    { files },
  );
  await suspendWhen(home, 'k', exists(home, 'looks.txt'));
  const events: string[] = [];
  const reply = await sayAfterRestart(home, {
    key: 'k',
    onEvent: (event) => void (event.type === 'text' && events.push(event.text)),
  });
  expect(reply.text).toBe('One.\n\nTwo.\n\nThree.');
  expect(events.join('')).toBe(reply.text);
  // In the order in which they ended, which is any for those that ran side by side.
  expect(reply.toolCalls.map(({ id, ok }) => `${id} ${ok}`).toSorted()).toEqual([
    'a true',
    'b true',
    'c true',
  ]);
  expect(reply).not.toHaveProperty('uncertain');
  const [, second, third] = home.model.requests;
  expect(home.model.requests).toHaveLength(3);
  expect(third!.messages.slice(0, second!.messages.length)).toEqual(second!.messages);
  expect(third!.messages.slice(-2)).toMatchObject([
    { role: 'assistant', content: 'Two.', reasoning_content: 'second', tool_calls: [{ id: 'c' }] },
    { role: 'tool', tool_call_id: 'c' },
  ]);
  expect(await notesOf(home)).toBe('noted\nnoted\n');
  // Each request is paid for once.
  await using database = createDatabase(databaseFileOf(home.home.path));
  const open = await database.open();
  expect(await open.selectFrom('usage').select('id').execute()).toHaveLength(3);
});

test('a stop ends a call that only reads at once, and it runs again', async () => {
  await using home = await openAgentHome([{ toolCalls: [call('look')] }, { text: 'seen' }], { files });
  await suspendWhen(home, 'k', exists(home, 'looks.txt'));
  expect((await sayAfterRestart(home, { key: 'k' })).text).toBe('seen');
  expect(await home.home.read('spaces/work/looks.txt')).toBe('looked\nlooked\n');
});

test('a stop cuts off a call with an effect that does not end in time: it is uncertain, and not repeated', async () => {
  const clock = createMovedClock({ start: Date.now(), skipMs: 5_000 });
  const script = [{ toolCalls: [call('change')] }, { text: 'I looked.' }];
  await using home = await openAgentHome(script, { files, clock });
  await suspendWhen(home, 'k', exists(home, 'notes.txt'));
  const reply = await sayAfterRestart(home, { key: 'k' });
  expect(reply.text).toMatch(/^I looked\.\n\n⚠️ Pegboard was interrupted during this: `work\.change \{\}`\./);
  expect(reply.uncertain).toMatchObject([{ tool: 'work.change', ok: false }]);
  expect(home.model.requests[1]!.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(/Whether it took effect is not known: check before you repeat it/),
  });
  expect(await notesOf(home)).toBe('changed\n');
  // Delivered again, the stored reply says the same.
  const again = await sayAfterRestart(home, { key: 'k' });
  expect(again).toMatchObject({ text: reply.text, uncertain: reply.uncertain });
  expect(home.model.requests).toHaveLength(2);
});

test('a call whose arguments hold a secret is not stored with it, and not run after a restart', async () => {
  await using home = await openAgentHome(
    [{ toolCalls: [call('sign', { password: 'hunter2-4711' })] }, { text: 'once more' }],
    { files },
  );
  let isAsked = false;
  const ask: Ask = (_question, signal) => {
    isAsked = true;
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  await suspendWhen(home, 'k', () => isAsked, { ask });
  const stored = await readFile(databaseFileOf(home.home.path), 'latin1');
  const log = await readFile(`${databaseFileOf(home.home.path)}-wal`, 'latin1').catch(() => '');
  expect(stored + log).not.toContain('hunter2-4711');
  await sayAfterRestart(home, { key: 'k', ask: async () => ({ action: 'accept' }) });
  expect(home.model.requests[1]!.messages.at(-1).content).toMatch(/Nothing was run\. Send the call again/);
  expect(await notesOf(home)).toBe('');
});

test('rounds count over all attempts', async () => {
  await using home = await openAgentHome(
    (request) => ({ toolCalls: [call('note', {}, `c${request.messages.length}`)], text: '' }),
    { files: { ...files, 'spaces/work/agent/agent.yaml': agent } },
  );
  const lines = async (): Promise<number> => (await notesOf(home)).split('\n').length - 1;
  const suspending = new AbortController();
  const first = home.say('go', {
    key: 'k',
    agent: 'work',
    suspend: suspending.signal,
    onEvent: (event) =>
      void (event.type === 'tool_end' && home.model.requests.length === 2 && suspending.abort()),
  });
  await expect(first).rejects.toMatchObject({ code: 'PEG_CANCELLED' });
  const before = home.model.requests.length;
  const { stopped } = await sayAfterRestart(home, { key: 'k', agent: 'work' });
  expect(stopped).toMatch(/after 4 rounds/);
  expect({ before, all: home.model.requests.length, notes: await lines() }).toEqual({
    before: 2,
    all: 4,
    notes: 3,
  });
});

test('an attempt that lost its turn to another process stops: its calls have no further effect, its reply is not stored', async () => {
  await using home = await openAgentHome(
    [{ toolCalls: [call('look', {}, 'a')] }, { text: 'from the second' }, { text: 'from the first' }],
    { files },
  );
  const frozen = home.say('go', { key: 'k' });
  const isLost = expect(frozen).rejects.toMatchObject({ code: 'PEG_CLAIM_LOST' });
  await expect.poll(exists(home, 'looks.txt')).toBe(true);
  await using database = createDatabase(databaseFileOf(home.home.path));
  // For this one, the process of the first attempt is dead.
  const conversations = createConversations(database, { find: async () => () => true });
  expect((await conversations.earlierTurn('k'))!.state).toBe('interrupted');
  const reply = await sayAfterRestart(home, { key: 'k' });
  await home.home.write('spaces/work/wake', '');
  await isLost;
  expect(reply.text).toBe('from the second');
  expect(await sayAfterRestart(home, { key: 'k' })).toMatchObject({ text: 'from the second' });
  expect(home.model.requests).toHaveLength(2);
});

test('a running turn is not answered a second time', async () => {
  await using home = await openAgentHome([{ faults: { hangAfter: 0 } }], { files });
  const cancelled = new AbortController();
  const first = home.say('go', { key: 'k', signal: cancelled.signal });
  await home.model.received(0);
  await expect(sayAfterRestart(home, { key: 'k' })).rejects.toMatchObject({ code: 'PEG_CLAIM_LOST' });
  cancelled.abort();
  expect((await first).stopped).toBe('cancelled');
});

test('a turn that paused for more than a quarter of an hour asks whether it goes on, if its message wants that', async () => {
  await using home = await openAgentHome([{ toolCalls: [call('look')] }, { text: 'seen' }], { files });
  await suspendWhen(home, 'k', exists(home, 'looks.txt'));
  {
    await using database = createDatabase(databaseFileOf(home.home.path));
    const open = await database.open();
    await open
      .updateTable('messages')
      .set({ active_at: new Date(Date.now() - 16 * 60_000).toISOString() })
      .where('state', '=', 'interrupted')
      .execute();
  }
  const asked: unknown[] = [];
  const reply = await sayAfterRestart(home, {
    key: 'k',
    askToGoOn: true,
    ask: async (question) => {
      asked.push(question);
      return { action: 'decline' };
    },
  });
  expect(asked).toEqual([
    {
      message: expect.stringMatching(
        /^I was interrupted while I worked on this message \(.*\)\. Shall I go on\?\ngo$/,
      ),
      labels: { accept: 'Go on', decline: 'Leave it' },
    },
  ]);
  expect(reply).toMatchObject({ text: 'I left it as it is.', stopped: 'I left it as it is.' });
  expect(home.model.requests).toHaveLength(1);
});
