import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startOf } from '../../../host/core/platform/process-identity.ts';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { startScriptedModel, type ScriptedModel } from '../../../host/testing/index.ts';
import { pegboard, pegboardJson, startPegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';
import { repository } from '../../kit/homes/clone.ts';
import { keys, startOnTerminal } from '../../kit/pty.ts';
import { blocksOf } from '../../system/docs/blocks.ts';

const modelAt = ({ baseUrl }: ScriptedModel): Record<string, string> => ({
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: 'test',
  PEGBOARD_MODEL: 'openai/scripted',
});

const literal = (text: string): string =>
  text
    .split('…')
    .map((part) =>
      part
        .trim()
        .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
        .replaceAll(/\s+/g, '\\s+'),
    )
    .join('[^]*?');

test('the session in docs/undo.md happens as it is written, and the model is told', async () => {
  const [session] = blocksOf(readFileSync(join(repository, 'docs/undo.md'), 'utf8'));
  await using home = await createHome({ 'workspace/notes.md': '' });
  const haiku = join(home.path, 'workspace/haiku.md');
  await using model = await startScriptedModel([
    { toolCalls: [{ name: 'write', arguments: { path: haiku, content: 'Rain, all the day long\n' } }] },
    { text: 'Done.' },
    { text: 'I see.' },
  ]);
  await using chat = startOnTerminal([], { home: home.path, env: modelAt(model) });
  await chat.next(/›/);
  const seen: boolean[] = [];
  for (const line of session!.text.trim().split('\n')) {
    const [, typed] = /^› (.*)$/.exec(line) ?? [];
    const [, question, answer] = /^(.*\?) (y|n)$/.exec(line) ?? [];
    if (typed !== undefined) chat.child.stdin.write(`${typed}${keys.enter}`);
    else await chat.next(new RegExp(literal(question ?? line)));
    if (answer !== undefined) {
      await chat.next(/No/);
      chat.child.stdin.write(answer);
    }
    if (/^(?:Done|undone|redone)/.test(line)) seen.push(existsSync(haiku));
  }
  expect(seen).toEqual([true, false, true]);
  chat.child.stdin.write(`And now?${keys.enter}`);
  const told = JSON.stringify((await model.received(2)).messages.at(-1));
  expect(told).toContain('[File changes that the user has undone]');
  expect(told).toMatch(/The user undid the changes.*haiku\.md.*The user redid the undone changes.*haiku\.md/);
  await chat.next(/I see\./);
  chat.child.stdin.write(keys.ctrlD);
  expect((await chat.ended).code).toBe(0);
});

interface Printed {
  readonly turn: { readonly id: string; readonly message: string; readonly paths: readonly string[] };
  readonly steps: readonly { readonly path: string; readonly action: string }[];
  readonly blocked: readonly { readonly path: string; readonly why: string }[];
  readonly undone: boolean;
}

test('a turn whose process was killed is undone by another process, and asks where it cannot know', async () => {
  await using home = await createHome({ 'workspace/old.md': 'old' });
  const path = (name: string): string => join(home.path, 'workspace', name);
  const command = 'rm old.md; echo new > new.md; echo > started; sleep 2';
  await using model = await startScriptedModel([
    { toolCalls: [{ name: 'write', arguments: { path: path('written.md'), content: 'text' } }] },
    { toolCalls: [{ name: 'bash', arguments: { command, cwd: path('.') } }] },
  ]);
  const nothing = await pegboard(['undo', '--yes'], { home: home.path });
  expect([nothing.code, nothing.stderr]).toEqual([1, 'There is nothing to undo.\n']);
  await using chat = startPegboard(['chat', 'Work', '--yes'], {
    home: home.path,
    env: modelAt(model),
    apart: true,
  });
  await expect.poll(() => existsSync(path('started')), { timeout: 30_000 }).toBe(true);
  chat.child.kill('SIGKILL');
  await once(chat.child, 'close');

  const asked = await pegboard(['undo'], { home: home.path });
  expect(asked.code).toBe(3);
  expect(asked.stdout).toContain('workspace/old.md: the call that may have changed it was cut off');
  const first = await pegboardJson<Printed>(['undo', '--yes'], { home: home.path });
  expect(first).toMatchObject({ undone: true, steps: [{ path: path('written.md'), action: 'delete' }] });
  expect(first.turn.message).toBe('Work');
  expect(first.blocked.map(({ path, why }) => `${why}: ${path}`).sort()).toEqual(
    ['new.md', 'old.md', 'started'].map((name) => `cut off: ${path(name)}`),
  );
  expect(existsSync(path('written.md'))).toBe(false);
  const wrong = await pegboard(['undo', '--turn', 'ffffffff9'], { home: home.path });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('undo --list')]);
  const second = await pegboard(['undo', '--turn', first.turn.id, '--force', '--yes'], { home: home.path });
  expect(second.stdout).toContain('undone: 3 changes.');
  expect(readFileSync(path('old.md'), 'utf8')).toBe('old');
  expect(existsSync(path('new.md'))).toBe(false);
});

test('an undo that was killed is completed by the next one, and one redo takes back both', async () => {
  await using home = await createHome({});
  const path = (name: string): string => join(home.path, 'workspace/w', name);
  const names = Array.from({ length: 600 }, (_, at) => `${at}.txt`);
  await Promise.all(names.map((name) => home.write(`workspace/w/${name}`, `old ${name}`)));
  const texts = (): readonly string[] => names.map((name) => readFileSync(path(name), 'utf8'));
  const before = texts();
  const command = 'for f in *.txt; do echo new > $f; done; rm 7.txt; echo 1 > 7.txt';
  await using model = await startScriptedModel([
    { toolCalls: [{ name: 'bash', arguments: { command, cwd: path('.') } }] },
    { text: 'Done.' },
  ]);
  const at = { home: home.path, env: modelAt(model) };
  expect(await pegboard(['chat', 'Work', '--yes'], at)).toMatchObject({ code: 0 });
  const changed = texts();
  for (const kill of [1, 2]) {
    await using undoing = startPegboard(['undo', '--yes'], { ...at, apart: true });
    const before = texts().join('');
    const owner = encodeURIComponent(`${hostname()}/${undoing.child.pid}/${startOf(undoing.child.pid!)}`);
    while (texts().join('') === before && undoing.child.exitCode === null) await nextTurn();
    undoing.child.kill('SIGKILL');
    await undoing.ended;
    expect(texts(), `kill ${kill}`).not.toEqual(changed);
    // What it may have been writing.
    writeFileSync(path(`.pegboard-${owner}-0123456789ab.tmp`), 'old');
  }
  expect(await pegboard(['undo', '--yes'], at)).toMatchObject({ code: 0 });
  expect(texts()).toEqual(before);
  expect(readdirSync(path('.'))).toHaveLength(names.length);
  expect(await pegboard(['undo', '--redo', '--yes'], at)).toMatchObject({ code: 0 });
  expect(texts()).toEqual(changed);
});

interface ListedTurns {
  readonly turns: readonly {
    readonly message: string;
    readonly undone: boolean;
    readonly partlyUndone: boolean;
    readonly paths: readonly string[];
  }[];
}

test('what could not be undone stays open: the next undo tries it again, before an earlier turn', async () => {
  await using home = await createHome({ 'workspace/a': 'old a', 'workspace/k/x': 'old x' });
  const path = (name: string): string => join(home.path, 'workspace', name);
  const bash = (command: string) => ({
    toolCalls: [{ name: 'bash', arguments: { command, cwd: path('.') } }],
  });
  await using model = await startScriptedModel([
    bash('echo 1 > earlier'),
    { text: 'Done.' },
    bash('echo 2 > a; echo 2 > k/x'),
    { text: 'Done.' },
  ]);
  const run = (...args: string[]) => pegboard(args, { home: home.path, env: modelAt(model) });
  const list = async () =>
    (await pegboardJson<ListedTurns>(['undo', '--list'], { home: home.path })).turns.map(
      ({ undone, partlyUndone }) => (undone ? 'undone' : partlyUndone ? 'partly' : 'done'),
    );
  for (const message of ['First', 'Second']) expect((await run('chat', message, '--yes')).code).toBe(0);
  // What was kept of one file is damaged.
  const kept = createHash('sha256').update('old x').digest('hex');
  const content = join(home.path, 'data/undo/content', kept.slice(0, 2), kept.slice(2));
  writeFileSync(content, 'damaged');

  const first = await run('undo', '--yes');
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('undone: 1 change.') as string });
  expect(first.stderr).toContain(
    `${join('workspace', 'k', 'x')}: What was kept of it is missing or damaged.`,
  );
  expect(await list()).toEqual(['partly', 'done']);
  expect((await run('undo', '--list')).stdout).toContain('partly undone');
  const second = await run('undo', '--yes');
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was changed.') as string,
  });
  expect(second.stdout + second.stderr).not.toContain('--redo');
  expect(await list()).toEqual(['partly', 'done']);

  // A folder on the way is a link now.
  writeFileSync(content, 'old x');
  renameSync(path('k'), path('moved'));
  symlinkSync(path('moved'), path('k'));
  for (const force of [[], ['--force']]) {
    const linked = await run('undo', '--yes', ...force);
    expect(linked).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('a folder above it is a link') as string,
    });
    expect(linked.stdout).not.toContain('--force');
  }
  rmSync(path('k'));
  renameSync(path('moved'), path('k'));
  expect(await run('undo', '--yes')).toMatchObject({ code: 0 });
  expect(['a', 'k/x', 'earlier'].map((name) => readFileSync(path(name), 'utf8'))).toEqual([
    'old a',
    'old x',
    '1\n',
  ]);
  expect(await list()).toEqual(['undone', 'done']);

  expect(await run('undo', '--redo', '--yes')).toMatchObject({ code: 0 });
  expect(await list()).toEqual(['partly', 'done']);
  expect(await run('undo', '--redo', '--yes')).toMatchObject({ code: 0 });
  expect(['a', 'k/x'].map((name) => readFileSync(path(name), 'utf8'))).toEqual(['2\n', '2\n']);
  expect(await list()).toEqual(['done', 'done']);
});

test.skipIf((await sandboxProblem()) !== undefined)(
  'of a command that was killed, what it never changed is not named, nor what a later turn changed',
  async () => {
    await using home = await createHome({
      'pegboard.yaml': 'sandbox: workspace\n',
      'workspace/.git/HEAD': 'ref: refs/heads/main\n',
      'workspace/node_modules/a/b.js': '1',
      'workspace/old.md': 'old',
      'workspace/sub/x.md': 'x',
    });
    const path = (name: string): string => join(home.path, 'workspace', name);
    const write = (name: string) => ({
      toolCalls: [{ name: 'write', arguments: { path: path(name), content: 'new' } }],
    });
    const command = 'echo 1 > made; sleep 60';
    await using model = await startScriptedModel([
      write('earlier.md'),
      { text: 'Done.' },
      { toolCalls: [{ name: 'bash', arguments: { command, cwd: path('.') } }] },
      write('later.md'),
      { text: 'Done.' },
    ]);
    const at = { home: home.path, cwd: path('.'), env: modelAt(model) };
    const run = (...args: string[]) => pegboard(args, at);
    const listed = async () =>
      (await pegboardJson<ListedTurns>(['undo', '--list'], at)).turns.map(({ message, paths, undone }) => ({
        message,
        paths: paths.map((one) => relative(path('.'), one)),
        undone,
      }));
    expect(await run('chat', 'First', '--yes')).toMatchObject({ code: 0 });
    await using chat = startPegboard(['chat', 'Work', '--yes'], { ...at, apart: true });
    await expect.poll(() => existsSync(path('made')), { timeout: 30_000 }).toBe(true);
    chat.child.kill('SIGKILL');
    await once(chat.child, 'close');

    expect(await listed()).toEqual([
      { message: 'Work', paths: ['made'], undone: false },
      { message: 'First', paths: ['earlier.md'], undone: false },
    ]);
    expect((await run('undo', '--list')).stdout).toMatch(/1 change .*Work/);
    const named = await pegboardJson<Printed>(['undo', '--yes'], at);
    expect(named.blocked).toEqual([{ path: path('made'), why: 'cut off' }]);
    expect(await run('chat', 'New', '--new', '--yes')).toMatchObject({ code: 0 });
    const known = await pegboardJson<Printed>(['undo', '--turn', named.turn.id, '--dry-run'], at);
    expect(known.blocked).toEqual(named.blocked);
    expect((await run('undo', '--yes')).stdout).toContain('later.md');

    expect((await run('undo', '--force', '--yes')).stdout).toContain('undone: 1 change.');
    expect(existsSync(path('made'))).toBe(false);
    expect(await listed()).toEqual([
      { message: 'New', paths: ['later.md'], undone: true },
      { message: 'Work', paths: ['made'], undone: true },
      { message: 'First', paths: ['earlier.md'], undone: false },
    ]);
    expect((await run('undo', '--yes')).stdout).toContain('earlier.md');
  },
);

test('a turn of which nothing can be undone is passed, and named', async () => {
  await using home = await createHome({ 'workspace/node_modules/a.js': '1' });
  const path = (name: string): string => join(home.path, 'workspace', name);
  const bash = (command: string) => ({
    toolCalls: [{ name: 'bash', arguments: { command, cwd: path('.') } }],
  });
  await using model = await startScriptedModel([
    bash('echo 1 > earlier'),
    { text: 'Done.' },
    bash('rm -r node_modules; mkfifo pipe'),
    { text: 'Done.' },
  ]);
  const run = (...args: string[]) => pegboard(args, { home: home.path, env: modelAt(model) });
  for (const message of ['First', 'Second']) expect((await run('chat', message, '--yes')).code).toBe(0);
  const first = await run('undo', '--yes');
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/First[^]*undone: 1 change/) as string,
  });
  const [, id = ''] =
    /^Of 1 later turn, nothing more can be undone: `pegboard undo --turn (\w+)`/.exec(first.stderr) ?? [];
  expect((await run('undo', '--turn', id)).stdout).toContain('node_modules: it is, or was, neither a file');
  expect(existsSync(path('earlier'))).toBe(false);
  expect((await run('undo', '--yes')).stdout).toContain('node_modules: it is, or was, neither a file');
});

test.each(['sub', 'here', 'here/deep'])(
  'a link or a file in place of the folder %s of a new file stays, also with --force, until the folder is back',
  async (folder) => {
    await using home = await createHome({ 'workspace/here/kept.md': 'kept', 'workspace/away/a.txt': 'mine' });
    const path = (name: string): string => join(home.path, 'workspace', name);
    const write = (name: string) => ({
      toolCalls: [{ name: 'write', arguments: { path: path(name), content: 'new' } }],
    });
    await using model = await startScriptedModel([
      write('earlier.txt'),
      { text: 'Done.' },
      write(`${folder}/a.txt`),
      { text: 'Done.' },
    ]);
    const run = (...args: string[]) => pegboard(args, { home: home.path, env: modelAt(model) });
    for (const message of ['First', 'Second']) expect((await run('chat', message, '--yes')).code).toBe(0);
    renameSync(path(folder), path('moved'));
    for (const replace of [
      () => symlinkSync(path('away'), path(folder)),
      () => symlinkSync(path('nowhere'), path(folder)),
      () => writeFileSync(path(folder), 'mine'),
    ]) {
      replace();
      for (const force of [[], ['--force']]) {
        const undone = await run('undo', '--yes', ...force);
        expect(undone).toMatchObject({
          code: 1,
          stdout: expect.stringContaining(
            `${join('workspace', folder, 'a.txt')}: a folder above it is a link or a file now`,
          ) as string,
          stderr: 'Nothing was changed.\n',
        });
        expect(undone.stdout).not.toContain('--force');
      }
      expect(lstatSync(path(folder)).isDirectory()).toBe(false);
      rmSync(path(folder));
    }
    expect(readFileSync(path('away/a.txt'), 'utf8')).toBe('mine');
    renameSync(path('moved'), path(folder));
    expect(await run('undo', '--yes')).toMatchObject({ code: 0 });
    expect(existsSync(path(`${folder}/a.txt`))).toBe(false);
    expect(readFileSync(path('earlier.txt'), 'utf8')).toBe('new');
    expect(readFileSync(path('here/kept.md'), 'utf8')).toBe('kept');
  },
);
