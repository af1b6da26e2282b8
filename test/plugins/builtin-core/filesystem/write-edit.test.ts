import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Question } from '../../../../host/api/ask.ts';
import type { CallRequest } from '../../../../host/api/dispatch.ts';
import { textOf } from '../../../../host/tools/result.ts';
import { openPluginHome, owner } from '../../../kit/homes/plugin-home.ts';

const agree: Partial<CallRequest> = { ask: async () => ({ action: 'accept' }) };

describe('write', () => {
  test('creates a file and the folders that it needs', async () => {
    await using home = await openPluginHome();
    const result = await home.call('write', { path: 'a/b/c.txt', content: 'one\ntwo\n' }, agree);
    expect(textOf(result)).toBe(`Created ${home.path('a/b/c.txt')} (2 lines, 8 bytes).`);
    expect(readFileSync(home.path('a/b/c.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(home.path('a/b'))).toEqual(['c.txt']);
  });

  test('replaces a file only for the caller that has read it as it is', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': 'old' } });
    const write = (caller: string) =>
      home.call('write', { path: 'a.txt', content: 'new' }, { ...agree, caller });
    expect((await write('one')).error).toMatchObject({
      code: 'PEG_DENIED',
      message: expect.stringContaining('has not been read'),
    });
    await home.call('read', { path: 'a.txt' }, { caller: 'one' });
    expect((await write('two')).error?.code).toBe('PEG_DENIED');
    expect((await write('one')).error).toBeUndefined();
    expect(readFileSync(home.path('a.txt'), 'utf8')).toBe('new');
    expect((await write('one')).error, 'what was written counts as read').toBeUndefined();
  });

  test('refuses when the file has changed since it was read, even with the same size and time', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': 'old' } });
    await home.call('read', { path: 'a.txt' });
    const { atime, mtime } = statSync(home.path('a.txt'));
    writeFileSync(home.path('a.txt'), 'mod');
    utimesSync(home.path('a.txt'), atime, mtime);
    const result = await home.call('write', { path: 'a.txt', content: 'new' });
    expect(result.error?.message).toContain('has changed since it was read');
    expect(readFileSync(home.path('a.txt'), 'utf8')).toBe('mod');
  });

  test('refuses when the file changes while a person is asked', async () => {
    await using home = await openPluginHome({ files: { '.env': 'A=1' } });
    await home.call('read', { path: '.env' }, agree);
    const result = await home.call(
      'write',
      { path: '.env', content: 'A=2' },
      {
        ask: async () => {
          writeFileSync(home.path('.env'), 'A=3');
          return { action: 'accept' };
        },
      },
    );
    expect(result.error?.message).toContain('changed while this call was being prepared');
    expect(readFileSync(home.path('.env'), 'utf8')).toBe('A=3');
  });

  test('asks the owner, showing the difference, instead of refusing', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': 'one\ntwo\nthree\n' } });
    const asked: Question[] = [];
    const ask = async (question: Question) => {
      asked.push(question);
      return { action: 'accept' } as const;
    };
    await home.call('write', { path: 'a.txt', content: 'one\n2\nthree\n' }, { ...owner, ask });
    expect(asked[0]?.message).toContain('has not been read');
    expect(asked[0]?.detail).toBe(`change ${home.path('a.txt')}\n@@ line 1 @@\n one\n-two\n+2\n three\n `);
    expect(readFileSync(home.path('a.txt'), 'utf8')).toBe('one\n2\nthree\n');
  });

  test('keeps mode, byte order mark and CRLF', async () => {
    await using home = await openPluginHome({ files: { 'run.bat': '\ufeffone\r\ntwo\r\n' } });
    chmodSync(home.path('run.bat'), 0o750);
    await home.call('read', { path: 'run.bat' });
    await home.call('write', { path: 'run.bat', content: 'three\nfour\n' }, agree);
    expect(readFileSync(home.path('run.bat'), 'utf8')).toBe('\ufeffthree\r\nfour\r\n');
    expect(statSync(home.path('run.bat')).mode & 0o777).toBe(0o750);
  });

  test('asks before secrets and before what decides what runs, and shows no secret', async () => {
    await using home = await openPluginHome();
    const paths = [
      '.env',
      'sub/credentials.json',
      'pegboard.yaml',
      '.mcp.json',
      'plugins/x/index.ts',
      'spaces/a/agent/tools/t.md',
      '.git/hooks/pre-commit',
    ];
    for (const path of paths) {
      const asked: Question[] = [];
      const refused = await home.call(
        'write',
        { path, content: 'TOKEN=abc' },
        {
          ask: async (question) => {
            asked.push(question);
            return { action: 'decline' };
          },
        },
      );
      expect(refused.error?.code, path).toBe('PEG_DECLINED');
      expect(existsSync(home.path(path))).toBe(false);
      expect(asked[0]?.detail?.includes('TOKEN=abc'), path).toBe(!/env|credentials/.test(path));
    }
    const own = await home.call('write', { path: 'data/state.json', content: '{}' }, agree);
    expect(own.error?.code).toBe('PEG_DENIED');
  });

  test('refuses hard links, binary files, folders and names outside the roots', async () => {
    await using home = await openPluginHome({
      files: { 'a.txt': 'a', 'b.bin': Buffer.from([0, 1]), 'sub/x': '' },
    });
    linkSync(home.path('a.txt'), home.path('same.txt'));
    const refusals = await Promise.all(
      ['same.txt', 'b.bin', 'sub', '../x.txt', '/etc/passwd', 'a\0b'].map(
        async (path) => (await home.call('write', { path, content: 'x' })).error?.message,
      ),
    );
    expect(refusals).toEqual([
      expect.stringContaining('hard links'),
      expect.stringContaining('binary'),
      expect.stringContaining('is a folder'),
      expect.stringContaining('outside the folders'),
      expect.stringContaining('outside the folders'),
      expect.stringContaining('NUL'),
    ]);
  });

  test('refuses more than 8 million characters', async () => {
    await using home = await openPluginHome();
    const content = 'a'.repeat(50 * 1024 * 1024 + 1);
    const result = await home.call('write', { path: 'huge.txt', content });
    expect(result.error?.message).toContain('a call may have 8,388,608');
    expect(existsSync(home.path('huge.txt'))).toBe(false);
  });

  test('replaces a large file by a short text', async () => {
    await using home = await openPluginHome({ files: { 'large.txt': 'a\n'.repeat(400_000) } });
    const result = await home.call('write', { path: 'large.txt', content: 'x' }, { ...owner, ...agree });
    expect(textOf(result)).toBe(`Replaced ${home.path('large.txt')} (1 line, 1 bytes).`);
  });

  test('goes through a link to the file that it names, and keeps the link', async () => {
    await using home = await openPluginHome({ files: { 'real/a.txt': 'old' } });
    symlinkSync('real/a.txt', home.path('link.txt'));
    await home.call('read', { path: 'link.txt' });
    expect((await home.call('write', { path: 'link.txt', content: 'new' }, agree)).error).toBeUndefined();
    expect(readFileSync(home.path('real/a.txt'), 'utf8')).toBe('new');
    expect(readdirSync(home.home)).toContain('link.txt');
  });
});

describe('edit', () => {
  test('replaces one place, and needs it to be one', async () => {
    await using home = await openPluginHome({ files: { 'a.ts': 'let a = 1;\nlet b = 1;\nlet c = 2;\n' } });
    await home.call('read', { path: 'a.ts' });
    const many = await home.call('edit', { path: 'a.ts', old_string: '= 1', new_string: '= 3' });
    expect(many.error?.message).toContain('2 times (lines 1, 2)');
    await home.call('edit', { path: 'a.ts', old_string: 'let b = 1', new_string: 'let b = $& $1' }, agree);
    expect(readFileSync(home.path('a.ts'), 'utf8')).toBe('let a = 1;\nlet b = $& $1;\nlet c = 2;\n');
    const all = await home.call(
      'edit',
      { path: 'a.ts', old_string: 'let', new_string: 'const', replace_all: true },
      agree,
    );
    expect(textOf(all)).toBe(`Edited ${home.path('a.ts')} (3 places).`);
  });

  test('shows the actual text when the given one is not quite right', async () => {
    await using home = await openPluginHome({
      files: { 'a.ts': 'function f() {\n\treturn “x”;\n}\n\nfunction g() {\n  return 1;\n}\n' },
    });
    await home.call('read', { path: 'a.ts' });
    const hint = async (old_string: string) =>
      (await home.call('edit', { path: 'a.ts', old_string, new_string: 'x' })).error?.message;
    expect(await hint('function f() {\n  return "x";\n}')).toContain(
      'Lines 1 to 3 differ from it only in white space or quotation marks. They are:\nfunction f() {\n\treturn “x”;\n}',
    );
    expect(await hint('function g() {\n  return 2;\n}')).toMatch(
      /first line is at line 5.*\nfunction g\(\) \{\n {2}return 1;/,
    );
    expect(await hint('nothing alike')).toContain('read the file again');
  });

  test('in a CRLF file takes LF for CRLF and leaves the rest alone', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': 'one\r\ntwo\r\nthree\r\n' } });
    await home.call('read', { path: 'a.txt' });
    await home.call('edit', { path: 'a.txt', old_string: 'one\ntwo', new_string: '1\n2\n2b' }, agree);
    expect(readFileSync(home.path('a.txt'), 'utf8')).toBe('1\r\n2\r\n2b\r\nthree\r\n');
  });

  test.for([
    // file, old, new, file afterwards
    ['a\r\nb\nc\r\n', 'a\nb\nc', 'a\nB\nc', 'a\r\nB\nc\r\n'],
    ['a\r\nb\nc\r\n', 'b\nc', 'b\nnew\nc', 'a\r\nb\nnew\nc\r\n'],
    ['a\r\nb\nc\r\n', 'a\nb', 'a\nnew\nb', 'a\r\nnew\r\nb\nc\r\n'],
    ['a\r\nb\nc\r\n', 'a', '1\n2', '1\r\n2\r\nb\nc\r\n'],
    ['a\r\nb\nc\r\n', 'b', '1\n2', 'a\r\n1\n2\nc\r\n'],
    ['a\r\nb\nc\r\n', '\nb', '', 'a\nc\r\n'],
    ['a\r\nb\nc\r\n', 'c\n', '', 'a\r\nb\n'],
    ['a\r\nb\nlast', 'last', 'x\ny', 'a\r\nb\nx\ny'],
    ['a\r\nb\nc\r\n', 'a\r\nb', 'x\r\ny', 'x\r\ny\nc\r\n'],
  ])('in %j, replaces %j by %j and keeps the other line ends', async ([before, from, to, after]) => {
    await using home = await openPluginHome({ files: { 'a.txt': before! } });
    await home.call('read', { path: 'a.txt' });
    const edited = await home.call('edit', { path: 'a.txt', old_string: from, new_string: to }, agree);
    expect(edited.error).toBeUndefined();
    expect(readFileSync(home.path('a.txt'), 'utf8')).toBe(after);
  });

  test('replaces every place of mixed line ends, and counts lines alike', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': 'a\nb\r\na\r\nb\na\nb' } });
    await home.call('read', { path: 'a.txt' });
    const args = { path: 'a.txt', old_string: 'a\nb', new_string: 'x\ny' };
    expect((await home.call('edit', args)).error?.message).toContain('3 times (lines 1, 3, 5)');
    await home.call('edit', { ...args, replace_all: true }, agree);
    expect(readFileSync(home.path('a.txt'), 'utf8')).toBe('x\ny\r\nx\r\ny\nx\ny');
  });

  test('keeps the encoding, and refuses what that cannot hold', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': Buffer.from('Käse\n', 'latin1') } });
    await home.call('read', { path: 'a.txt' });
    await home.call('edit', { path: 'a.txt', old_string: 'Käse', new_string: 'Öl' }, agree);
    expect(readFileSync(home.path('a.txt'), 'latin1')).toBe('Öl\n');
    const result = await home.call('edit', { path: 'a.txt', old_string: 'Öl', new_string: '油' });
    expect(result.error?.message).toContain('8-bit encoding');
  });

  test('needs a file, a read, and a difference', async () => {
    await using home = await openPluginHome({ files: { 'a.txt': 'x' } });
    const edit = async (path: string, new_string: string) =>
      (await home.call('edit', { path, old_string: 'x', new_string })).error?.message;
    expect(await edit('b.txt', 'y')).toContain('use write');
    expect(await edit('a.txt', 'y')).toContain('has not been read');
    await home.call('read', { path: 'a.txt' });
    expect(await edit('a.txt', 'x')).toContain('nothing to change');
  });
});
