import { describe, expect, test } from 'vitest';
import type { KnownFolders } from '../../../../host/api/known-folders.ts';
import { classify, judgeWrite, type WriteClass } from '../../../../host/core/files/write-boundary.ts';

const places: KnownFolders = {
  home: '/home/me/pegboard',
  installation: '/opt/pegboard',
  userHome: '/home/me',
  userState: '/home/me/.local/state/pegboard',
  workspaces: ['/home/me/pegboard/spaces/work/workspace'],
  roots: [
    { path: '/home/me/code', write: 'free' },
    { path: '/home/me/code/asked', write: 'ask' },
    { path: '/home/me/.cursor/worktrees/one', write: 'free' },
    { path: '/home/me/papers', write: 'ask' },
  ],
  named: ['/home/me/code/scripts/deploy.sh', '/home/me/pegboard/spaces/work/workspace/lib'],
  dependencyFolders: ['/home/me/code/server', '/home/me/pegboard'],
};
const clone: KnownFolders = { ...places, installation: places.home };

type Row = readonly [path: string, expected: WriteClass, inClone?: WriteClass];
const inHome = (rows: readonly Row[]): Row[] =>
  rows.map(([path, ...classes]) => [`${places.home}/${path}`, ...classes]);

const rows: readonly Row[] = [
  ...inHome([
    ['spaces/work/workspace/notes.md', 'free'],
    ['spaces/work/workspace/a/b/c.py', 'free'],
    ['spaces/work/workspace/.gitignore', 'free'],
    ['spaces/work/workspace', 'guarded'],
    ['spaces/work/workspace/lib', 'guarded'],
    ['spaces/work/workspace/lib/run.py', 'guarded'],
    ['spaces/work/workspace/sub/.git/config', 'guarded'],
    ['spaces/work/workspace/GNUmakefile', 'guarded'],
    ['spaces/work', 'guarded'],
    ['spaces/work/workspace2/x', 'guarded'],
    ['spaces/work/agents/evil.yaml', 'guarded'],
    ['spaces/work/agent/tools/x.yaml', 'guarded'],
    ['spaces/work/hooks/check.sh', 'guarded'],
    ['spaces/new/space.manifest.json', 'guarded'],
    ['spaces/other/workspace/notes.md', 'asked'],
    ['spaces/other/workspace', 'guarded'],
    ['spaces/other/workspace/.envrc', 'guarded'],
    ['workspace/notes.md', 'asked', 'guarded'],
    ['notes.md', 'asked', 'guarded'],
    ['helper.mjs', 'guarded'],
    ['docs/a.md', 'asked', 'guarded'],
    ['spaces', 'guarded'],
    ['plugins/x/plugin.yaml', 'guarded'],
    ['pegboard.yaml', 'guarded'],
    ['pegboard.local.yaml', 'guarded'],
    ['.mcp.json', 'guarded'],
    ['.env', 'guarded'],
    ['.env.local', 'guarded'],
    ['node_modules/left-pad/index.js', 'guarded'],
    ['package.json', 'guarded'],
    ['data/state.json', 'denied'],
    ['data', 'denied'],
    ['data/secrets/secrets.json', 'denied'],
    ['database.txt', 'asked', 'guarded'],
  ]),
  ['/home/me/pegboard', 'denied'],
  ['/home/me', 'denied'],
  ['/', 'denied'],
  ['/home/me/.local/state/pegboard/x/trust.json', 'denied'],
  ['/home/me/.local/state', 'denied'],
  ['/opt/pegboard/host/dispatch/confirm.ts', 'guarded'],
  ['/opt', 'guarded'],
  ['/home/me/code/app/src/main.ts', 'free'],
  ['/home/me/code', 'guarded'],
  ['/home/me/code/app/.git/hooks/pre-commit', 'guarded'],
  ['/home/me/code/scripts/deploy.sh', 'guarded'],
  ['/home/me/code/scripts', 'guarded'],
  ['/home/me/code/scripts/other.sh', 'free'],
  ['/home/me/code/server/helper.mjs', 'guarded'],
  ['/home/me/code/server/README.md', 'free'],
  ['/home/me/code/asked/x.ts', 'asked'],
  ['/home/me/code/asked/package.json', 'guarded'],
  ['/home/me/.cursor/worktrees/one/x.ts', 'free'],
  ['/home/me/.cursor/worktrees/two/x.ts', 'guarded'],
  ['/home/me/papers/x.tex', 'asked'],
  ['/home/me/papers/.latexmkrc', 'guarded'],
  ['/home/me/.bashrc', 'guarded'],
  ['/etc/passwd', 'guarded'],
];

test.each(rows.map(([path, expected]) => ({ path, expected })))(
  '$path is $expected',
  ({ path, expected }) => {
    expect(classify(path, places)).toBe(expected);
  },
);

test('in a clone that is its own home only workspaces and listed folders are not guarded', () => {
  for (const [path, expected, inClone = expected] of rows) {
    if (!path.startsWith('/opt')) expect([path, classify(path, clone)]).toEqual([path, inClone]);
  }
});

test('a listed home is free but for what decides what runs', () => {
  const free: KnownFolders = {
    ...places,
    roots: [{ path: places.home, write: 'free' }],
    dependencyFolders: [],
  };
  const of = (path: string): WriteClass => classify(`${places.home}/${path}`, free);
  expect(of('notes.md')).toBe('free');
  expect(of('spaces/other/workspace/notes.md')).toBe('free');
  for (const path of [
    'spaces/other/agents/a.yaml',
    'plugins/x/index.ts',
    'pegboard.yaml',
    'pegboard.local.yaml',
    '.env',
    'package.json',
  ])
    expect([path, of(path)]).toEqual([path, 'guarded']);
  expect(of('data/state.json')).toBe('denied');
});

test('where no space acts the workspace of the home is free', () => {
  const free: KnownFolders = { ...places, workspaces: [`${places.home}/workspace`] };
  expect(classify(`${places.home}/workspace/a.md`, free)).toBe('free');
  expect(classify(`${places.home}/spaces/work/workspace/a.md`, free)).toBe('asked');
});

test('the reason for a confirmation is given', () => {
  const why = (path: string): string => judgeWrite(path, places).reason;
  expect(why('/home/me/code/app/package.json')).toBe('package.json decides, or may decide, what runs');
  expect(why('/home/me/code/scripts/deploy.sh')).toMatch(/^\S+deploy\.sh is run or read by a tool/);
  expect(why('/home/me/pegboard/data/x')).toMatch(/data belongs to Pegboard itself$/);
  expect(why('/home/me/code/a.ts')).toBe('');
});

describe('in a free folder', () => {
  const guardedNames =
    `.git .GIT .git. .git::$INDEX_ALLOCATION GIT~1 .g\u200cit .hg .svn .jj repo.git HEAD .gitmodules .gitattributes
    .vscode .idea .zed .fleet .devcontainer .claude .cursor .codex .gemini .windsurf .continue .aider.conf.yml .mcp.json
    AGENTS.md agents.md CLAUDE.md GEMINI.md SKILL.md .cursorrules .husky .envrc .direnv .env .env.production .npmrc .yarnrc.yml .pnp.cjs
    .bashrc .zshrc .profile .config .local .ssh .vimrc .exrc .github .gitlab-ci.yml .circleci .travis.yml .drone.yml
    .pre-commit-config.yaml .tool-versions .mise.toml .nvmrc .eslintrc.js .babelrc .venv .bundle .cargo .mvn .gradle .terraform
    package.json Package.json package-lock.json yarn.lock pnpm-lock.yaml bun.lockb deno.json node_modules
    pyproject.toml setup.py requirements.txt requirements-dev.txt Pipfile uv.lock conftest.py tox.ini site-packages evil.pth
    Gemfile Gemfile.lock Rakefile x.gemspec composer.json vendor Cargo.toml build.rs go.mod go.sum pom.xml build.gradle.kts
    gradlew mvnw App.csproj App.sln Directory.Build.props mix.exs pubspec.yaml Package.swift Podfile flake.nix default.nix
    Makefile makefile GNUmakefile BSDmakefile Makefile.local rules.mk justfile Taskfile.yml CMakeLists.txt meson.build SConstruct
    Dockerfile Dockerfile.dev compose.yaml docker-compose.override.yml Jenkinsfile Procfile Vagrantfile Tiltfile BUILD BUILD.bazel WORKSPACE
    vite.config.ts eslint.config.mjs gulpfile.js Gruntfile.coffee lefthook.yml evil.desktop x.code-workspace pegboard.yaml
    pegboard.local.yaml`
      .split(/\s+/)
      .filter((name) => name !== '');
  test.each(guardedNames)('%s is guarded, and what lies in it too', (name) => {
    expect(classify(`/home/me/code/app/${name}`, places)).toBe('guarded');
    expect(classify(`/home/me/code/${name}/deep/file.txt`, places)).toBe('guarded');
  });

  const freeNames =
    `README.md notes.txt main.py index.ts build workspace dist lib data.json config.yaml .gitignore .gitkeep
    report~1.txt.bak Überblick.md make.py package.txt requirements.md gitlog docker.md composer.md settings.json a b.lock`
      .split(/\s+/)
      .filter((name) => name !== '');
  test.each(freeNames)('%s is free', (name) => {
    expect(classify(`/home/me/code/app/${name}`, places)).toBe('free');
  });
});
