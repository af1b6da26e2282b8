import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reply } from '../../../host/api/conversation.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { manifest } from '../../kit/homes/home.ts';
import { obeying, order } from './obeying-model.ts';

interface Rig extends AsyncDisposable {
  readonly home: AgentHome;
  /** A file at another place. */
  readonly log: string;
  give(tool: string, args: object): Promise<Reply>;
}

const tools = 'spaces/work/agent/tools';
const text = 'parameters: [{ name: text, type: string, description: What, required: true }]';

async function openRig(): Promise<Rig> {
  await using opened = new AsyncDisposableStack();
  const outside = await mkdtemp(join(tmpdir(), 'pegboard-log-'));
  opened.defer(() => rm(outside, { recursive: true, force: true }));
  const log = join(outside, 'log.txt');
  await writeFile(log, 'written elsewhere\n');
  const home = opened.use(
    await openAgentHome(obeying, {
      files: {
        [`${tools}/note.md`]: manifest('note', `${text}\ncommand: echo {{text}} >> ${log} && echo noted`),
        [`${tools}/tee-it.md`]: manifest('tee-it', `${text}\ncommand: "echo {{text}} | tee -a ${log}"`),
        [`${tools}/show-it.md`]: manifest('show-it', `${text}\ncommand: echo {{text}} >> ${log}; cat ${log}`),
        [`${tools}/shown.md`]: manifest(
          'shown',
          `${text}\ncommand: "echo {{text}} $(cat ${log}) >> /dev/null"`,
        ),
      },
    }),
  );
  const owned = opened.move();
  let chats = 0;
  return {
    home,
    log,
    give: (tool, args) => home.say(order(tool, args), { externalId: `c${chats++}`, confirm: 'never' }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('a turn that only appends to a file has not read it', async () => {
  await using rig = await openRig();
  for (const reply of [
    await rig.give('note', { text: 'one' }),
    await rig.give('tee-it', { text: 'two' }),
    await rig.give('bash', { command: `echo three >> ${rig.log}` }),
    await rig.give('bash', { command: `printf '%s\\n' four | tee -a ${rig.log} > /dev/null` }),
  ]) {
    expect(reply.toolCalls.map(({ ok }) => ok)).toEqual([true]);
    expect(reply.untrusted ?? []).toEqual([]);
  }
  expect(await readFile(rig.log, 'utf8')).toBe('written elsewhere\none\ntwo\nthree\nfour\n');
});

test('one that shows the file as well has', async () => {
  await using rig = await openRig();
  const read = [{ kind: 'file', what: rig.log }];
  for (const reply of [
    await rig.give('show-it', { text: 'one' }),
    await rig.give('shown', { text: 'one' }),
    await rig.give('bash', { command: `echo two >> ${rig.log}; tail -1 ${rig.log}` }),
    await rig.give('bash', { command: `cat >> ${rig.home.home.path}/copy.txt < ${rig.log}` }),
  ])
    expect(reply.untrusted).toEqual(read);
});

test('nor has one that appends to a file of the home that holds what others wrote', async () => {
  await using rig = await openRig();
  const others = { untrusted: [{ kind: 'person', what: 'Mallory' }] } as const;
  await rig.home.say(order('write', { path: 'notes.txt', content: 'theirs\n' }), {
    confirm: 'never',
    ...others,
  });
  const appended = await rig.give('bash', { command: 'echo mine >> notes.txt' });
  expect(appended.untrusted ?? []).toEqual([]);
  const shown = await rig.give('bash', { command: 'echo mine >> notes.txt; cat notes.txt' });
  expect(shown.untrusted).toMatchObject([{ kind: 'person', what: 'Mallory' }]);
});
