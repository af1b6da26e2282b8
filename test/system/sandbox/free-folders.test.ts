import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import type { KnownFolders } from '../../../host/api/known-folders.ts';
import { foldersWithoutCaller } from '../../../host/core/files/known-folders.ts';
import { childEnvironment } from '../../../host/core/processes/environment.ts';
import { runProcess, type ProcessResult } from '../../../host/core/processes/process.ts';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { toSandboxRule } from '../../../host/core/sandbox/rule.ts';

const problem = await sandboxProblem();

interface Person extends AsyncDisposable {
  readonly folder: string;
  /** A bash command in the user's folder. */
  run(command: string, places?: Partial<KnownFolders>, onOutput?: () => void): Promise<ProcessResult>;
  put(file: string, text?: string): Promise<void>;
}

/** A user's folder: `home` is the home, `code` is listed with `write: free`. */
async function openPerson(): Promise<Person> {
  const folder = await mkdtemp(join(homedir(), '.pegboard-test-'));
  const put = async (file: string, text = ''): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  await put('home/pegboard.yaml');
  await put('code/readme.md');
  const rule = toSandboxRule('workspace', folder, processSurroundings().userHome)!;
  return {
    folder,
    put,
    run: (command, places, onOutput) =>
      runProcess({
        argv: ['bash', '-c', command],
        cwd: folder,
        environment: childEnvironment(process.env),
        ...(onOutput && { onOutput }),
        confinement: {
          shown: [],
          sandbox: {
            level: 'workspace',
            network: false,
            rules: [rule],
            knownFolders: {
              ...foldersWithoutCaller(join(folder, 'home'), processSurroundings()),
              roots: [{ path: join(folder, 'code'), write: 'free' }],
              ...places,
            },
          },
        },
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

describe.skipIf(problem !== undefined)('a listed folder that is free, where bubblewrap works', () => {
  test('can be worked in, and nothing of the sandbox is left in it', async () => {
    await using person = await openPerson();
    const result = await person.run('cd code; echo new > a.txt; mkdir -p b/c; mv readme.md b/c; ls -A');
    expect(result.stderr).toBe('');
    expect((await readdir(join(person.folder, 'code'))).sort()).toEqual(['a.txt', 'b']);
  });

  test('a file created under a name that decides what runs is renamed, and reported', async () => {
    await using person = await openPerson();
    await person.put('code/app/main.rs');
    const { stderr } = await person.run(
      'cd code/app; touch Cargo.toml; mkdir ../fresh; touch ../fresh/Cargo.toml',
    );
    const aside = join(person.folder, 'code/app/Cargo.toml.made-in-sandbox');
    expect(stderr).toBe(
      `[sandbox] Files with names that decide what runs were created, and have been renamed: ${aside}\n`,
    );
    // The content of a new folder is as new as the folder.
    expect(existsSync(join(person.folder, 'code/fresh/Cargo.toml'))).toBe(true);
  });

  test('a link with such a name leads where it led', async () => {
    await using person = await openPerson();
    const link = join(person.folder, 'code/AGENTS.md');
    await symlink('readme.md', link);
    await person.run('cd code; rm AGENTS.md; ln -s evil.md AGENTS.md');
    expect(await readlink(link)).toBe('readme.md');
  });

  test('a folder in it that is listed with write: ask stays as it is, and so do files that something names', async () => {
    await using person = await openPerson();
    for (const file of ['code/asked/a.txt', 'code/run/job.sh', 'code/x.txt']) await person.put(file, 'old');
    const { folder } = person;
    await person.run(
      'cd code; for f in asked/a.txt run/job.sh run/other.sh later.sh x.txt; do echo new > $f; done; mv run r; mkdir run; echo new > run/job.sh',
      {
        roots: [
          { path: join(folder, 'code'), write: 'free' },
          { path: join(folder, 'code/asked'), write: 'ask' },
        ],
        named: [join(folder, 'code/run/job.sh'), join(folder, 'code/later.sh')],
      },
    );
    const textOf = (file: string): Promise<string> => readFile(join(folder, 'code', file), 'utf8');
    expect(await textOf('asked/a.txt')).toBe('old');
    expect(await textOf('run/job.sh')).toBe('old');
    expect(await textOf('x.txt')).toBe('new\n');
    expect(existsSync(join(folder, 'code/later.sh'))).toBe(false);
  });

  test('two sandboxes at a time block what is missing until each has ended', async () => {
    await using person = await openPerson();
    const ready = Promise.withResolvers<void>();
    const long = person.run(
      'cd code; echo ready; until [ -e go ]; do sleep 0.01; done; mkdir .git/hooks; touch .vscode/x; echo done',
      {},
      ready.resolve,
    );
    await ready.promise;
    await person.run('cd code; true');
    await person.run('cd code; touch go');
    const { stdout, stderr } = await long;
    expect(stdout).toContain('done');
    expect(stderr.match(/Permission denied|Read-only file system/g)).toHaveLength(2);
    expect((await readdir(join(person.folder, 'code'))).sort()).toEqual(['go', 'readme.md']);
  });

  test('a home that is listed keeps what decides what runs, and its data out of sight', async () => {
    await using person = await openPerson();
    for (const file of [
      'data/x',
      'plugins/a/index.ts',
      'spaces/work/workspace/a.txt',
      'spaces/work/tools/run.sh',
    ])
      await person.put(`home/${file}`, 'old');
    const home = join(person.folder, 'home');
    const targets =
      'data/x plugins/a/index.ts plugins/b spaces/new spaces/work/x spaces/work/tools/x plugins/a/x pegboard.yaml package.json';
    await person.run(
      `cd home; for f in ${targets} free.txt spaces/work/workspace/a.txt; do echo new > $f; done; mv spaces s; mv data d`,
      {
        roots: [{ path: home, write: 'free' }],
        workspaces: [join(home, 'spaces/work/workspace')],
        named: [join(home, 'spaces/work/tools/run.sh'), join(home, 'plugins/a/index.ts')],
      },
    );
    const changed = ['data/x', 'plugins/a/index.ts', 'spaces/work/workspace/a.txt', 'free.txt'].map((file) =>
      readFile(join(home, file), 'utf8'),
    );
    expect(await Promise.all(changed)).toEqual(['old', 'old', 'new\n', 'new\n']);
    const names = ['data', 'free.txt', 'package.json.made-in-sandbox', 'pegboard.yaml', 'plugins', 'spaces'];
    expect((await readdir(home)).sort()).toEqual(names);
    expect(await readFile(join(home, 'pegboard.yaml'), 'utf8')).toBe('');
    expect(await readdir(join(home, 'spaces/work/tools'))).toEqual(['run.sh']);
    expect(await readdir(join(home, 'plugins/a'))).toEqual(['index.ts']);
  });

  test('a workspace that is a link is refused, wherever it leads', async () => {
    await using person = await openPerson();
    const workspace = join(person.folder, 'home/spaces/work/workspace');
    await mkdir(dirname(workspace), { recursive: true });
    await symlink('../..', workspace);
    await expect(person.run('true', { workspaces: [workspace] })).rejects.toMatchObject({
      code: 'PEG_DENIED',
      message: expect.stringContaining('A workspace must be a folder of its own'),
    });
    expect((await lstat(workspace)).isSymbolicLink()).toBe(true);
  });
});
