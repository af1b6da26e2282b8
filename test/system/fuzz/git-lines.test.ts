import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { createRandom, type Random } from '../../kit/data/fuzz.ts';
import { createHome } from '../../kit/homes/home.ts';
import { rounds } from '../../kit/run/tiers.ts';

/** In the files that no command may print, and where git starts an editor. */
const canary = 'CANARY-7d1f';
const commands =
  `diff log show grep whatchanged blame status shortlog reflog branch tag rev-parse rev-list ls-files ls-tree cat-file
  for-each-ref show-ref describe commit archive format-patch diff-tree`
    .split(/\s+/)
    .concat('stash show', 'stash list', 'reflog show');
const options =
  `-p -u -U3 -s -q -v -vv -a -z -l -n -c -e -C -M -m -r -t -W -G${canary} -S${canary} -L1,9:.env -L1,9 --stat --patch
  --raw --name-only --name-status --check --cc --word-diff --word-diff=plain --color-words --text --binary --follow --all
  --cached --staged --no-index --untracked --reverse --oneline --full-diff --ext-diff --textconv --amend --no-edit --dry-run
  --verbose --porcelain --batch -mfix -amfix --message=fix --format=%B --format=%(raw) --format=%(contents) --no-walk -g
  --first-parent -1 --pickaxe-all --relative --show-stash --summary --quiet -i -h --count -e${canary} -f.env`.split(
    /\s+/,
  );

const operand = (random: Random, hashes: readonly string[]): string =>
  random.pick([
    ...`HEAD HEAD~1 main HEAD~1..HEAD HEAD^1 stash -- -- -- -- a.txt a.txt a.txt sub . .. .env private.txt gone.env sub/.env
    HEAD:.env :.env HEAD:private.txt :0:.env '*.env' '*' ':/' ':(top)' ':!a.txt' ':^a.txt' '.en[v]' link/../private.txt
    sub/../.env blob x CANARY . main:sub main^0 @ @~1 'HEAD^{tree}' 'HEAD@{0}' refs/tags/blob ':/first'`.split(
      /\s+/,
    ),
    ...hashes,
  ]);

test('a line of git that a rule with a wildcard allows prints nothing of files that are kept, and starts no editor', async () => {
  await using home = await createHome({
    '.env': `KEY=${canary}\n`,
    'private.txt': `${canary}\n`,
    'gone.env': `${canary}\n`,
    'sub/.env': `${canary}\n`,
    'sub/deep/x.txt': 'x\n',
    'a.txt': 'one\n',
    'pegboard.yaml': 'permissions: { allow: ["bash(git *)"], deny: ["read(private.txt)"] }\n',
  });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', home.path, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], {
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  for (const name of ['name', 'email']) git('config', `user.${name}`, 'x@y');
  git('add', '-f', '.env', 'private.txt', 'gone.env', 'sub', 'a.txt');
  git('commit', '-qm', 'first');
  await home.write('a.txt', 'two\n');
  await home.write('.env', `KEY=${canary}-2\n`);
  rmSync(join(home.path, 'gone.env'));
  git('commit', '-qam', 'second');
  await home.write('private.txt', `${canary} ${canary}\n`);
  git('stash');
  await home.write('sub/.env', `${canary} again\n`);
  git('add', 'sub');
  await home.write('private.txt', 'x\n');
  symlinkSync('sub/deep', join(home.path, 'link'));
  const blob = git('rev-parse', 'HEAD:.env');
  const hashes = [blob, blob.slice(0, 4), `x-g${blob.slice(0, 9)}`, `${blob}~0`, git('rev-parse', 'HEAD')];
  await using host = await createHost({
    home: home.path,
    mcp: 'off',
    environment: { PATH: process.env['PATH'] },
  });
  const scope = { ...host.scopeFor(undefined), identity: 'agent' } as const;
  const isAllowed = async (command: string): Promise<boolean> =>
    (await host.rehearse({ name: 'bash', args: { command }, scope, caller: 'test' })).verdict === 'allow';
  const print = (line: string): string => {
    const { stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-c', line], {
      cwd: home.path,
      env: { ...process.env, GIT_EDITOR: `echo ${canary};:`, GIT_PAGER: `echo ${canary};:` },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: 10_000,
    });
    return stdout + stderr;
  };
  // The test sees what it looks for.
  expect(print('git show HEAD:.env')).toContain(canary);
  expect(print('git commit --amend')).toContain(canary);
  const random = createRandom(20_261_130);
  const harmful = [];
  let allowed = 0;
  for (let count = 0; count < rounds({ usual: 500, all: 5_000, soak: 50_000 }); count++) {
    const words = random.list(1, 5, () =>
      random.chance(0.4) ? random.pick(options) : operand(random, hashes),
    );
    const line = `${random.chance(0.1) ? 'cd sub && git' : 'git'} ${random.pick(commands)} ${words.join(' ')}`;
    if (!(await isAllowed(line))) continue;
    allowed++;
    // It says again what it was given to search.
    if (
      print(line)
        .replaceAll(/\S*CANARY-7d1f(?=')/g, '')
        .includes(canary)
    )
      harmful.push(line);
  }
  expect(allowed).toBeGreaterThan(20);
  expect(harmful, `seed ${random.seed}`).toEqual([]);
}, 600_000);
