import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../host/testing/index.ts';
import { keys } from '../kit/pty.ts';
import { answerModel, arrive } from './newcomer.ts';

test('a developer: an answer in three commands, fifteen tools of their own, a restart, and away again', async () => {
  await using model = await startScriptedModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: `It says: ${String(last.content)}` };
    return String(last?.content).includes('Use the seventh')
      ? { toolCalls: [{ name: 'tool-07', arguments: { who: 'Ada' } }] }
      : { text: 'Hello there.' };
  });
  await using newcomer = await arrive();

  const installed = await newcomer.npm();
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  {
    await using setup = newcomer.type('pegboard setup');
    await answerModel(setup, model.baseUrl);
    setup.child.stdin.write(keys.enter);
    await setup.next(/Answer on Discord too\?/);
    setup.child.stdin.write(keys.enter);
    await setup.next(/Talk to it: +pegboard\b/);
    expect((await setup.ended).code).toBe(0);
  }
  {
    await using prompt = newcomer.type('pegboard');
    await prompt.next(/This is a chat with an agent[^]*›/);
    prompt.child.stdin.write(`Hello${keys.enter}`);
    await prompt.next(/Hello there\./);
  }

  const first = await newcomer.run(['new', 'tool', 'tool-01']);
  expect(first, first.stderr).toMatchObject({ code: 0 });
  const path = (name: string): string => join(newcomer.home, 'spaces/personal/agent/tools', `${name}.md`);
  const text = await readFile(path('tool-01'), 'utf8');
  const names = Array.from({ length: 15 }, (_, index) => `tool-${String(index + 1).padStart(2, '0')}`);
  for (const name of names.slice(1)) await writeFile(path(name), text.replaceAll('tool-01', name));
  const listed = JSON.parse((await newcomer.run(['tools', 'personal', '--json'])).stdout) as {
    readonly tools: readonly { readonly id: string; readonly listed: boolean }[];
  };
  expect(listed.tools.filter((tool) => tool.listed).map(({ id }) => id)).toEqual(
    expect.arrayContaining(names.map((name) => `personal.${name}`)),
  );
  {
    await using prompt = newcomer.type('pegboard');
    await prompt.next(/›/);
    prompt.child.stdin.write(`Use the seventh${keys.enter}`);
    await prompt.next(/personal\.tool-07/);
    await prompt.next(/It says:[^]*Hello, Ada/);
  }

  for (const _ of ['a start', 'a restart']) {
    await using host = newcomer.type('exec pegboard start');
    await host.next(/running \d+ tools/);
    await host.next(/own\/scripted/);
    host.child.stdin.write(keys.ctrlC);
    await host.ended;
  }
  await newcomer.run(['chat', 'Do you remember?']);
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('Use the seventh');

  expect(await newcomer.npm('uninstall', '--global', 'pegboard')).toMatchObject({ code: 0 });
  expect((await newcomer.npm('ls', '--global', 'pegboard')).stdout).not.toContain('pegboard@');
  expect(existsSync(path('tool-15'))).toBe(true);
});
