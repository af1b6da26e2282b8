import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';

test('a conversation is found again on the terminal, gone on with, named and exported', async () => {
  await using model = await startScriptedModel((request, index) => ({
    text: `Answer ${index + 1} of **${request.messages.filter(({ role }) => role === 'user').length}**`,
  }));
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  const options = { home: home.path };
  {
    await using chat = startOnTerminal([], options);
    await chat.next(/›/);
    chat.child.stdin.write(`Plan the holiday${keys.enter}`);
    await chat.next(/Answer 1 of 1[^]*›/);
    chat.child.stdin.write(`/new${keys.enter}`);
    await chat.next(/A fresh conversation\.[^]*›/);
    chat.child.stdin.write(`Buy bread${keys.enter}`);
    await chat.next(/Answer 2 of 1[^]*›/);
    chat.child.stdin.write(`/rename Shopping${keys.enter}`);
    await chat.next(/This conversation is called Shopping now[^]*›/);
    chat.child.stdin.write(`/resume${keys.enter}`);
    expect(await chat.next(/NUMBER goes on with one[^]*›/)).toMatch(
      /2 · Shopping · .* this one\r?\n• 1 · Plan the holiday/,
    );
    chat.child.stdin.write(`/context${keys.enter}`);
    await chat.next(/tokens are used[^]*Kept for the answer[^]*›/);
    chat.child.stdin.write(`/quit${keys.enter}`);
    expect(await chat.ended).toMatchObject({ code: 0 });
  }
  {
    // Without an option the last one goes on, and is named.
    await using chat = startOnTerminal([], options);
    await chat.next(/Going on with "Shopping" \(2 messages, the last [^)]+\)\. \/new begins another one/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  }
  {
    await using chat = startOnTerminal(['--resume', 'holiday'], options);
    await chat.next(/Going on with Plan the holiday[^]*Plan the holiday[^]*›/);
    chat.child.stdin.write(`Where to?${keys.enter}`);
    await chat.next(/Answer 3 of 2[^]*›/);
    chat.child.stdin.write(keys.ctrlD);
    await chat.ended;
  }
  const piped = await pegboard(['--new'], { ...options, input: 'Third\u001b[2J\n' });
  expect(piped).toMatchObject({ code: 0, stdout: 'Answer 4 of **1**\n' });
  expect(await pegboard(['-r', '99'], { ...options, input: 'x\n' })).toMatchObject({ code: 2 });
  expect((await pegboard(['-c', '--new'], options)).stderr).toContain('contradict');

  const { sessions } = await pegboardJson<{ sessions: object[] }>(['sessions'], options);
  expect(sessions).toMatchObject([
    { id: 3, title: 'Third', source: 'cli', messages: 2, isOpen: true },
    { id: 1, title: 'Plan the holiday', messages: 4, isOpen: false },
    { id: 2, title: 'Shopping', isOpen: false },
  ]);
  const found = await pegboard(['sessions', 'where', 'to'], options);
  expect(found.stdout).toMatch(/NUMBER +TITLE +LAST +MESSAGES +SOURCE\n +1 +Plan the holiday .* 4 +cli\n$/);
  expect((await pegboard(['sessions', 'nowhere'], options)).stderr).toContain('No conversation says');
  expect(await pegboard(['sessions', 'sho', '1'], options)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Did you mean ".*pegboard sessions show 1"\?/) as string,
  });
  expect((await pegboard(['sessions', 'sho 1'], options)).stderr).toMatch(
    /No conversation says "sho 1"\.\n$/,
  );
  expect((await pegboard(['sessions', 'exprt'], options)).stderr).toContain('sessions export"?');
  // What steers a terminal, or the direction of text, is no part of a title.
  await pegboard(
    ['sessions', 'rename', '1', 'Summer\u001b]0;x\u0007', '\u202eholi\u200bday\u0008\rx'],
    options,
  );
  expect((await pegboard(['sessions', 'show', '1'], options)).stdout).toMatch(
    /^Summer holiday\n\n.*\n› Plan the holiday\n\nAnswer 1 of \*\*1\*\*\n/,
  );
  expect(await pegboard(['sessions', 'show', '77'], options)).toMatchObject({ code: 2 });

  expect((await pegboard(['sessions', 'export', '3'], options)).stdout).toMatch(/^# Third\n[^\u001b]*$/);
  const file = join(home.path, 'holiday.md');
  await pegboard(['sessions', 'export', '1', file], options);
  expect(await readFile(file, 'utf8')).toMatch(
    /^# Summer holiday\n\nConversation 1 · cli\/cli · begun .* · 4 messages\n\n## .* · You\n\nPlan the holiday\n\n## .* · \w+\n\nAnswer 1 of \*\*1\*\*\n/,
  );
  const again = await pegboard(['sessions', 'export', '1', file], options);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('there already') as string });
  const nowhere = await pegboard(['sessions', 'export', '1', join(home.path, 'no/such/holiday.md')], options);
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no folder') as string });
  expect(existsSync(join(home.path, 'no'))).toBe(false);
  const json = join(home.path, 'holiday.json');
  await pegboard(['sessions', 'export', '1', json], options);
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    id: 1,
    title: 'Summer holiday',
    messages: [
      { role: 'user', text: 'Plan the holiday' },
      { role: 'assistant' },
      {},
      { text: 'Answer 3 of **2**' },
    ],
  });
});

test('the terminal goes on with the last conversation of the folder or project in which it is used', async () => {
  await using model = await startScriptedModel((request) => ({
    text: `Heard ${request.messages.filter(({ role }) => role === 'user').length}`,
  }));
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  await using work = await createHome({ 'a/.git/HEAD': '', 'a/src/x.ts': '', 'b/.git/HEAD': '', 'c/x': '' });
  const at = (name: string) => ({ home: home.path, cwd: join(work.path, name) });
  const say = async (folder: string, args: readonly string[] = []): Promise<string> =>
    (await pegboard(args, { ...at(folder), input: 'Hello\n' })).stdout.trim();
  expect(await say('a')).toBe('Heard 1');
  expect(await say('b')).toBe('Heard 1');
  expect(await say('c', ['--continue'])).toBe('Heard 1');
  expect(await say('a/src', ['--continue'])).toBe('Heard 2');
  expect(await say('b')).toBe('Heard 2');
  expect((await pegboard(['chat', 'Hello'], at('a'))).stdout.trim()).toBe('Heard 3');
  expect(await say('a', ['--new'])).toBe('Heard 1');
  expect(await say('c')).toBe('Heard 2');
  expect(await say('a')).toBe('Heard 2');
  // Named, one goes on anywhere, and stays that of its folder.
  expect(await say('b', ['--resume', '1'])).toBe('Heard 4');
  expect(await say('b')).toBe('Heard 3');
  const { sessions } = await pegboardJson<{ sessions: object[] }>(['sessions'], at('b'));
  expect(sessions).toMatchObject([
    { id: 2, folder: at('b').cwd, isOpen: true },
    { id: 1, folder: at('a').cwd },
    { id: 4, folder: at('a').cwd },
    { id: 3, folder: at('c').cwd },
  ]);
  const listed = (await pegboard(['sessions'], at('b'))).stdout;
  expect(listed).toContain(`in ${at('a').cwd}\n`);
  expect(listed).not.toContain(at('b').cwd);
  await using chat = startOnTerminal(['--continue'], at('c/..'));
  await chat.next(/No conversation was begun in this folder yet/);
  chat.child.stdin.write(`/resume${keys.enter}`);
  await chat.next(/NUMBER goes on with one/);
  chat.child.stdin.write(keys.ctrlD);
  await chat.ended;
});
