import { posix, win32 } from 'node:path';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkPlatform } from '../../../../host/doctor/surroundings.ts';
import { isWithin } from '../../../../host/core/files/paths.ts';
import { browserProgram } from '../../../../host/core/platform/browser.ts';
import { hasModes, opensByDescriptor } from '../../../../host/core/platform/file-access.ts';
import { checkFileNames } from '../../../../host/core/platform/file-names.ts';
import { settingsFolder } from '../../../../host/core/platform/places.ts';
import {
  isTreeAlive,
  leadsGroup,
  maxCommandBytes,
  signalTree,
} from '../../../../host/core/platform/processes.ts';
import { startOf } from '../../../../host/core/platform/process-identity.ts';
import { findProgram, programPlaces, spawnable } from '../../../../host/core/platform/programs.ts';
import { replaceByRename } from '../../../../host/core/platform/renames.ts';
import { sandboxProgram } from '../../../../host/core/platform/sandboxes.ts';
import { findBash, hookShell } from '../../../../host/core/platform/shells.ts';
import { endSignals } from '../../../../host/core/platform/signals.ts';
import { inheritedVariables } from '../../../../host/core/platform/variables.ts';
import { watchAdvice } from '../../../../host/core/platform/watching.ts';
import { manifest, createHome } from '../../../kit/homes/home.ts';
import { pegboard } from '../../../kit/cli.ts';

const windows = { platform: 'win32', path: undefined, extensions: '.COM;.EXE;.CMD' } as const;

test('a program is looked for by the extensions of Windows, and by its plain name elsewhere', () => {
  expect(programPlaces('npx', { ...windows, path: 'C:\\a;D:\\b c' })).toEqual([
    'C:\\a\\npx.com',
    'C:\\a\\npx.exe',
    'C:\\a\\npx.cmd',
    'D:\\b c\\npx.com',
    'D:\\b c\\npx.exe',
    'D:\\b c\\npx.cmd',
  ]);
  expect(programPlaces('node.exe', { ...windows, path: 'C:\\a' })).toEqual(['C:\\a\\node.exe']);
  expect(programPlaces('npx', { platform: 'darwin', path: '/a:/b' })).toEqual(['/a/npx', '/b/npx']);
});

test('only what can be executed is a program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-programs-'));
  try {
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'b'), '');
    await writeFile(join(folder, 'c'), '', { mode: 0o755 });
    const search = { platform: 'linux', path: folder } as const;
    expect(['a', 'b', 'c'].map((name) => findProgram(name, search))).toEqual([
      undefined,
      undefined,
      join(folder, 'c'),
    ]);
    await chmod(join(folder, 'c'), 0o600);
    expect(findProgram('c', search)).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** What cmd.exe makes of a line: a caret takes the meaning from the next character. Twice for a batch file. */
const byCmd = (text: string): string => text.replaceAll(/\^(.)/gs, '$1');

test('a batch file of Windows is started through cmd.exe, and gets every argument as it is', () => {
  const argv = [
    'C:\\Program Files\\nodejs\\npx.cmd',
    '-y',
    'a b',
    'x & calc',
    '%PATH%',
    'say "hi"',
    'end\\',
    '',
    '!a^b',
  ];
  const started = spawnable(argv, { ...windows, shell: 'cmd.exe' });
  expect(started.verbatim).toBe(true);
  expect(started.argv.slice(0, 4)).toEqual(['cmd.exe', '/d', '/s', '/c']);
  const line = started.argv[4]!.slice(1, -1);
  // Every character with a meaning is preceded by a caret, so no quotation mark protects anything from cmd.exe.
  expect(line).not.toMatch(/(?<!\^)(?:\^\^)*["&%|<>]/);
  const program = `"${argv[0]}"`;
  expect(byCmd(line).startsWith(program)).toBe(true);
  expect(byCmd(byCmd(line).slice(program.length))).toBe(
    ' "-y" "a b" "x & calc" "%PATH%" "say \\"hi\\"" "end\\\\" "" "!a^b"',
  );
});

test('a line break for a batch file is refused, and other programs are started as they are', () => {
  expect(() => spawnable(['a.bat', 'one\ntwo'], { ...windows })).toThrow(/passes no line breaks/);
  const plain = ['C:\\node.exe', 'one\ntwo', '"'];
  expect(spawnable(plain, windows)).toEqual({ argv: plain, verbatim: false });
  for (const platform of ['linux', 'darwin'] as const)
    expect(spawnable(['a.cmd', '%'], { platform, path: undefined })).toEqual({
      argv: ['a.cmd', '%'],
      verbatim: false,
    });
});

test('a process tree is ended through its group, and on Windows through taskkill', () => {
  const ran: (readonly string[])[] = [];
  signalTree(4_242, 'SIGTERM', 'win32', (argv) => void ran.push(argv));
  expect(ran).toEqual([['taskkill', '/pid', '4242', '/t', '/f']]);
  expect(leadsGroup('win32')).toBe(false);
  expect(leadsGroup('darwin')).toBe(true);
  expect(isTreeAlive(process.pid, 'win32')).toBe(true);
  expect(maxCommandBytes('win32')).toBeLessThan(32_768);
});

test('bash on Windows is the one of Git, and never the one that starts WSL', () => {
  const there = new Set(['C:\\Windows\\System32\\bash.exe', 'C:\\Program Files\\Git\\bin\\bash.exe']);
  const search = {
    ...windows,
    environment: { PATH: 'C:\\Windows\\System32', ProgramFiles: 'C:\\Program Files' },
    isThere: (path: string) => there.has(path),
  };
  expect(findBash(search)).toBe('C:\\Program Files\\Git\\bin\\bash.exe');
  expect(hookShell('echo hi', search)[0]).toBe('C:\\Program Files\\Git\\bin\\bash.exe');
  there.delete('C:\\Program Files\\Git\\bin\\bash.exe');
  expect(findBash(search)).toBeUndefined();
  expect(hookShell('echo hi', search)).toEqual([
    'powershell.exe',
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    'echo hi',
  ]);
  expect(hookShell('echo hi', { platform: 'darwin', environment: {} })).toEqual(['/bin/sh', '-c', 'echo hi']);
});

test('a child on Windows gets what programs need there, and no secret', () => {
  const from = { Path: 'C:\\a', SystemRoot: 'C:\\Windows', OPENAI_API_KEY: 'sk', HOME: '/h' };
  for (const kind of ['command', 'server'] as const)
    expect(inheritedVariables(kind, from, 'win32')).toEqual({ Path: 'C:\\a', SystemRoot: 'C:\\Windows' });
  expect(inheritedVariables('command', from, 'linux')).toEqual({ HOME: '/h' });
});

test.each(['a:b', 'what?', 'con', 'NUL.txt', 'lpt1', 'end.', 'end ', 'tab\there'])(
  'Windows refuses a file named %j, and other systems do not',
  (name) => {
    expect(() => checkFileNames(`C:\\notes\\${name}`, 'win32')).toThrow(/Choose another name/);
    expect(() => checkFileNames(`notes/${name}/x.md`, 'win32')).toThrow(/Choose another name/);
    expect(() => checkFileNames(`notes/${name}`, 'linux')).not.toThrow();
  },
);

test('paths with a drive letter, backslashes and dots are fine on Windows', () => {
  for (const path of ['C:\\notes\\a.md', 'd:/notes/console.md', '..\\a', '.\\a b', '\\\\server\\share\\a'])
    expect(() => checkFileNames(path, 'win32')).not.toThrow();
});

test('a path on another drive is not within a folder', () => {
  expect(isWithin('C:\\home', 'C:\\home\\a', win32)).toBe(true);
  expect(isWithin('C:\\home', 'c:\\HOME\\a', win32)).toBe(true);
  expect(isWithin('C:\\home', 'D:\\home\\a', win32)).toBe(false);
  expect(isWithin('C:\\home', 'C:\\homes', win32)).toBe(false);
  expect(isWithin('C:\\home', '\\\\server\\home\\a', win32)).toBe(false);
});

test.each([
  ['/', '/a', true],
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a', '/ab', false],
  ['/a', '/', false],
  ['/a/', '/a/b', true],
  ['/a', '/a/', true],
  ['/a', '/a/../b', false],
  ['/a', '/a/..', false],
  ['/a', '/b/../a/c', true],
  ['/a', '/a/..b', true],
  ['/a', '//a//b', true],
  ['/a/./b', '/a/b/.', true],
  ['/a', '/A/b', false],
])('elsewhere, with %s as the folder, %s is within it: %s', (folder, path, within) => {
  expect(isWithin(folder, path, posix)).toBe(within);
});

test('each system has its own folders, browser, permissions and sandbox', () => {
  const at = (platform: NodeJS.Platform, environment = {}) => ({ platform, userHome: '/u', environment });
  expect(settingsFolder(at('linux'))).toBe('/u/.config');
  expect(settingsFolder(at('win32', { APPDATA: '/roaming' }))).toBe('/roaming');
  expect(browserProgram({}, 'darwin')).toEqual(['open']);
  expect(browserProgram({}, 'win32')?.[0]).toBe('rundll32');
  expect(browserProgram({}, 'linux')).toBeUndefined();
  expect([hasModes('win32'), hasModes('darwin')]).toEqual([false, true]);
  expect([opensByDescriptor('linux'), opensByDescriptor('darwin')]).toEqual([true, false]);
  expect(['linux', 'darwin', 'win32'].map((one) => sandboxProgram(one as NodeJS.Platform)?.name)).toEqual([
    'bubblewrap',
    'sandbox-exec',
    undefined,
  ]);
});

test('a process is told from a later one with the same id, where the system says when it began', () => {
  const asked: (readonly string[])[] = [];
  const answer = (text: string) => (argv: readonly string[]) => {
    asked.push(argv);
    return text;
  };
  expect(startOf(42, 'darwin', answer('Tue Nov 24 12:00:01 2026    \n'))).toBe(
    String(Date.UTC(2026, 10, 24, 12, 0, 1) / 1000),
  );
  expect(startOf(42, 'darwin', answer(''))).toBe('');
  expect(asked[0]).toEqual(['/bin/ps', '-o', 'lstart=', '-p', '42']);
  expect(startOf(42, 'win32', answer('never asked'))).toBe('');
  expect(asked).toHaveLength(2);
  expect(startOf(process.pid, 'linux')).toMatch(/^\d+$/);
});

test('closing the window and Ctrl-Break end a command on Windows', () => {
  expect(endSignals('win32')).toEqual({ SIGTERM: 143, SIGHUP: 129, SIGBREAK: 149 });
  for (const platform of ['linux', 'darwin'] as const)
    expect(Object.keys(endSignals(platform))).toEqual(['SIGTERM', 'SIGHUP']);
});

test('a file that somebody reads is replaced on Windows as soon as they have finished', async () => {
  const refusals = ['EPERM', 'EBUSY', 'EACCES'];
  const moved: string[] = [];
  const move = (from: string, to: string): Promise<void> => {
    const code = refusals.shift();
    if (code !== undefined) return Promise.reject(Object.assign(new Error(code), { code }));
    moved.push(`${from} ${to}`);
    return Promise.resolve();
  };
  await replaceByRename('draft', 'file', 'win32', move);
  expect(moved).toEqual(['draft file']);
  refusals.push('EPERM');
  await expect(replaceByRename('draft', 'file', 'linux', move)).rejects.toThrow('EPERM');
  refusals.push('ENOENT');
  await expect(replaceByRename('draft', 'file', 'win32', move)).rejects.toThrow('ENOENT');
});

test('a folder that can not be watched is explained by what the system counts', () => {
  const error = (code: string): Error => Object.assign(new Error(code), { code });
  expect(watchAdvice(error('ENOSPC'), 'linux')).toContain('max_user_watches');
  expect(watchAdvice(error('EMFILE'), 'linux')).toContain('max_user_instances');
  expect(watchAdvice(error('EMFILE'), 'darwin')).toContain('ulimit -n');
  expect(watchAdvice(error('EMFILE'), 'win32')).toBe('This process has too many files open.');
  expect(watchAdvice(error('EACCES'), 'darwin')).toBeUndefined();
});

test('doctor says what the system lacks', () => {
  expect(checkPlatform('linux')).toMatchObject([{ status: 'ok' }]);
  expect(checkPlatform('darwin').every(({ status }) => status === 'warning')).toBe(true);
  const said = checkPlatform('win32').map(({ message }) => message);
  for (const about of ['sandbox', 'permissions', 'processes', 'service', 'file names'])
    expect(said.some((message) => message.startsWith(`${about}: `))).toBe(true);
});

test('files with the line ends of Windows are read like others', async () => {
  const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
  await using home = await createHome({
    'pegboard.yaml': crlf('name: ${HOME_NAME}\noutput:\n  limit: 5000\n'),
    '.env': crlf('HOME_NAME=windows\nGREETING=hello\n'),
    'spaces/personal/agent/tools/say.md': crlf(
      manifest(
        'say',
        'command: printf %s {{text}}\nparameters:\n  - { name: text, type: string }',
        'Says it.\n',
      ),
    ),
  });
  expect(await pegboard(['lint'], { home: home.path })).toMatchObject({ code: 0 });
  const said = await pegboard(['call', 'say', 'text=hello'], { home: home.path });
  expect(said).toMatchObject({ code: 0, stdout: 'hello\n' });
});
