import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../host/testing/index.ts';
import { arrive } from './newcomer.ts';

/** A home of the commit before `pegboard setup`: a conversation, a memory and a schedule. */
const database = gunzipSync(readFileSync(join(import.meta.dirname, 'before/pegboard.db.gz')));

test('a home of an earlier version goes on: its conversation, memories, schedules and tools', async () => {
  await using model = await startScriptedModel(() => ({ text: 'At nine, as I said.' }));
  await using newcomer = await arrive();
  const write = (name: string, content: string | Buffer): void => {
    const path = join(newcomer.home, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
  };
  write('data/pegboard.db', database);
  write(
    'pegboard.yaml',
    `name: before\nmodels:\n  default: own/small\n  providers:\n    own:\n      base_url: ${model.baseUrl}\n`,
  );
  write(
    'spaces/personal/agent/tools/greet.md',
    '---\nid: greet\nname: Greet\ndescription: Greet somebody\ncommand: echo Hello\n---\n',
  );
  await newcomer.install();
  {
    await using trust = newcomer.type('pegboard trust');
    await trust.next(/Yes/);
    trust.child.stdin.write('y');
    expect((await trust.ended).code).toBe(0);
  }
  expect((await newcomer.run(['memory', 'list'])).stdout).toContain('Anna is allergic to hazelnuts');
  expect((await newcomer.run(['schedule', 'list'])).stdout).toContain('Water the plants');
  expect(await newcomer.run(['call', 'greet', '--yes'])).toMatchObject({ code: 0, stdout: 'Hello\n' });
  const answered = await newcomer.run(['chat', 'When was that?']);
  expect(answered, answered.stderr).toMatchObject({ code: 0, stdout: 'At nine, as I said.\n' });
  const sent = JSON.stringify(model.requests.at(-1)!.messages);
  expect(sent).toContain('When does the ferry leave?');
  expect(sent).toContain('The ferry leaves at nine.');
});
