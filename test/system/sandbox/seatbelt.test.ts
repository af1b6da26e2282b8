import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import type { Boundary } from '../../../host/core/sandbox/boundary.ts';
import { confine } from '../../../host/core/sandbox/confine.ts';
import { foldersWithoutCaller } from '../../../host/core/files/known-folders.ts';
import { toSandboxRule } from '../../../host/core/sandbox/rule.ts';
import { seatbeltProfile, type SeatbeltProfile } from '../../../host/core/sandbox/seatbelt.ts';

const boundary: Boundary = {
  readable: ['/Users/me/home'],
  writable: [
    { path: '/Users/me/code', isShallow: false },
    { path: '/Users/me/home/spaces/work/workspace', isShallow: false },
    { path: '/Users/me/.npm', isShallow: true },
    { path: '/Users/me/code/app/node_modules', isShallow: true },
  ],
  own: '/Users/me/home/data/servers/notes',
  guarded: ['/Users/me/code/deep/er/asked'],
  secret: ['/Users/me/.ssh', '/Users/me/home/data'],
};
const profileOf = (more: Partial<SeatbeltProfile> = {}): string =>
  seatbeltProfile({ level: 'workspace', network: false, boundary, temporary: '/private/tmp/own', ...more });

interface Rule {
  readonly allows: boolean;
  readonly operations: readonly string[];
  readonly filters: readonly { readonly kind: string; readonly text: string }[];
}

/** Parses the subset of the profile language that ours use. Throws for unbalanced or unknown forms. */
function parse(profile: string): readonly Rule[] {
  const forms = profile.split(/\n(?=\()/);
  expect(forms[0]).toBe('(version 1)');
  return forms.slice(1).map((form) => {
    const [, decision, operations = '', rest = ''] =
      /^\((allow|deny) ([a-z*\- ]+?)((?:\s+\(.*)?)\)$/s.exec(form) ?? [];
    if (decision === undefined) throw new Error(`not a rule: ${form}`);
    const filters = [...rest.matchAll(/\(([a-z-]+) (?:#"([^"]*)"|"((?:[^"\\]|\\.)*)"|([a-z-]+))\)/g)];
    expect(rest.replace(/\(([a-z-]+) (?:#"([^"]*)"|"((?:[^"\\]|\\.)*)"|([a-z-]+))\)/g, '').trim()).toBe('');
    return {
      allows: decision === 'allow',
      operations: operations.trim().split(' '),
      filters: filters.map(([, kind = '', regex, text, word]) => ({
        kind,
        text: regex ?? text?.replace(/\\(.)/g, '$1') ?? word ?? '',
      })),
    };
  });
}

/** The decision of the last matching rule. */
function decide(profile: string, operation: string, path: string): boolean {
  const fits = ({ kind, text }: Rule['filters'][number]): boolean => {
    if (kind === 'literal') return path === text;
    if (kind === 'subpath') return path === text || path.startsWith(text === '/' ? '/' : `${text}/`);
    return kind === 'regex' && new RegExp(text).test(path);
  };
  const covers = (name: string): boolean =>
    name === 'default' ||
    name === operation ||
    (name.endsWith('*') && operation.startsWith(name.slice(0, -1)));
  const last = parse(profile).findLast(
    ({ operations, filters }) => operations.some(covers) && (filters.length === 0 || filters.some(fits)),
  );
  return last!.allows;
}

describe('a profile for macOS', () => {
  const workspace = '/Users/me/home/spaces/work/workspace';
  test.each([
    [`${workspace}/notes.md`, true],
    ['/Users/me/code/src/main.ts', true],
    ['/Users/me/code/README.md', true],
    ['/private/tmp/own/x', true],
    ['/Users/me/home/data/servers/notes/x', true],
    ['/Users/me/home/data/servers/notes/package.json', true],
    ['/Users/me/.npm/_npx/1/node_modules/x/package.json', true],
    ['/Users/me/code/app/node_modules/x/index.js', true],
    ['/Users/me/code/app/node_modules/x/package.json', true],
    ['/Users/me/.npm/package.json', false],
    ['/Users/me/code/app/node_modules/.bin/tool', false],
    ['/Users/me/code/other/node_modules/x/index.js', false],
    ['/Users/me/code/.git', false],
    ['/Users/me/code/.GIT/hooks/pre-commit', false],
    ['/Users/me/code/a/b/.git/config', false],
    ['/Users/me/code/a/Makefile', false],
    ['/Users/me/code/a/GNUmakefile', false],
    ['/Users/me/code/package.JSON', false],
    ['/Users/me/code/vite.config.ts', false],
    ['/Users/me/code/requirements-dev.txt', false],
    ['/Users/me/code/.envrc', false],
    [`${workspace}/.vscode/tasks.json`, false],
    ['/Users/me/code/deep/er/asked/x', false],
    ['/Users/me/home/pegboard.yaml', false],
    ['/Users/me/home/spaces/work/agents/x.yaml', false],
    ['/Users/me/home/data/state.json', false],
    ['/Users/me/.ssh/authorized_keys', false],
    ['/Users/me/notes.txt', false],
    ['/private/tmp/other', false],
    ['/usr/local/bin/x', false],
  ])('lets a program write %s: %s', (path, expected) => {
    expect(decide(profileOf(), 'file-write-create', path)).toBe(expected);
    expect(decide(profileOf(), 'file-write-data', path)).toBe(expected);
  });

  test('lets no folder be moved in which something must stay', () => {
    expect(decide(profileOf(), 'file-write-unlink', '/Users/me/code/deep')).toBe(false);
    expect(decide(profileOf(), 'file-write-unlink', '/Users/me/code/deep/er')).toBe(false);
    expect(decide(profileOf(), 'file-write-unlink', '/Users/me/code/other')).toBe(true);
    expect(decide(profileOf(), 'file-write-create', '/Users/me/code/deep/new')).toBe(true);
  });

  test.each([
    ['/Users/me/notes.txt', true, false],
    ['/Users/me/home/pegboard.yaml', true, true],
    ['/usr/bin/true', true, true],
    ['/private/tmp/own/x', true, true],
    ['/private/tmp/other', false, false],
    ['/Users/me/.ssh/id_ed25519', false, false],
    ['/Users/me/home/data/secrets/secrets.json', false, false],
    ['/Users/me/home/data/servers/notes/x', true, true],
  ])('lets a program read %s: %s in a workspace, %s when strict', (path, inWorkspace, whenStrict) => {
    expect(decide(profileOf(), 'file-read-data', path)).toBe(inWorkspace);
    expect(decide(profileOf({ level: 'strict' }), 'file-read-data', path)).toBe(whenStrict);
  });

  test('opens the network only where it is wanted', () => {
    for (const operation of ['network-outbound', 'network-bind', 'system-socket']) {
      expect(decide(profileOf(), operation, '')).toBe(false);
      expect(decide(profileOf({ network: true }), operation, '')).toBe(true);
    }
    expect(profileOf({ network: true })).not.toContain('com.apple.SecurityServer');
  });

  test('denies what it does not name, and starts with that', () => {
    const [first] = parse(profileOf());
    expect(first).toEqual({ allows: false, operations: ['default'], filters: [] });
    for (const operation of [
      'mach-register',
      'appleevent-send',
      'process-info-other',
      'iokit-open',
      'file-write-setugid',
    ])
      expect([operation, decide(profileOf(), operation, '/Users/me/code/x')]).toEqual([operation, false]);
  });

  test.each([
    'a "quoted" one',
    'back\\slash',
    'par(en)s and [brackets]',
    'dot.and+plus',
    'new\nline',
    'é (subpath "/")',
    '$^*?|{}',
  ])('holds for a folder that is called %j', (name) => {
    const path = `/Users/me/${name}`;
    const profile = profileOf({
      boundary: { ...boundary, writable: [{ path, isShallow: false }], guarded: [] },
    });
    if (name.includes('\n')) expect(profile).toContain('new\\nline');
    else {
      expect(decide(profile, 'file-write-data', `${path}/a.txt`)).toBe(true);
      expect(decide(profile, 'file-write-data', `${path}/sub/.git/config`)).toBe(false);
    }
    expect(decide(profile, 'file-write-data', '/Users/me/other/a.txt')).toBe(false);
    expect(decide(profile, 'file-write-data', '/etc/passwd')).toBe(false);
  });
});

describe('on macOS a program is started by sandbox-exec', () => {
  test('with the profile, folders for its temporary files, and its arguments as they are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pegboard-seatbelt-'));
    const record = join(folder, 'record');
    const fake = `#!/bin/sh\nprintf '%s\\0' "$@" > '${record}'\nshift 2\nexec "$@"\n`;
    await writeFile(join(folder, 'sandbox-exec'), fake);
    await chmod(join(folder, 'sandbox-exec'), 0o755);
    const path = process.env['PATH'];
    process.env['PATH'] = `${folder}${delimiter}${path}`;
    try {
      const home = join(folder, 'home');
      const workspace = join(home, 'workspace');
      await mkdir(home);
      const confined = await confine(['printf', '%s', 'a "b" $c'], {
        who: 'test',
        cwd: folder,
        platform: 'darwin',
        confinement: {
          shown: [],
          sandbox: {
            level: 'workspace',
            network: false,
            rules: [toSandboxRule('workspace', folder, processSurroundings().userHome)!],
            knownFolders: { ...foldersWithoutCaller(home, processSurroundings()), workspaces: [workspace] },
          },
        },
      });
      const [program = '', ...args] = confined.argv;
      const { stdout } = await promisify(execFile)(program, args);
      confined.ended();
      expect(program).toBe('sandbox-exec');
      expect(stdout).toBe('a "b" $c');
      const [option, profile = '', env, temporary = '', ...rest] = (await readFile(record, 'utf8')).split(
        '\0',
      );
      expect([option, env, rest]).toEqual(['-p', '/usr/bin/env', ['printf', '%s', 'a "b" $c', '']]);
      expect(decide(profile, 'file-write-data', join(workspace, 'a.txt'))).toBe(true);
      expect(decide(profile, 'file-write-data', join(home, 'a.txt'))).toBe(false);
      expect(decide(profile, 'file-write-data', join(temporary.slice('TMPDIR='.length), 'x'))).toBe(true);
      await expect(readFile(temporary.slice('TMPDIR='.length))).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      process.env['PATH'] = path;
      await rm(folder, { recursive: true });
    }
  });
});
