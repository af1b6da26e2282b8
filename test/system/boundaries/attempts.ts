import { homedir } from 'node:os';
import { join } from 'node:path';
import type { BoundedHome } from './homes.ts';

/** A write that must not happen without confirmation. */
export interface Attempt {
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
}

const long = 'n'.repeat(300);

/** Files of a home, relative to it, that require confirmation: some exist, some don't. */
const inHome = [
  'notes.md',
  'new.md',
  'PEGBOARD.YAML',
  'pegboard.yaml',
  '.mcp.json',
  '.env',
  'package.json',
  'server.mjs',
  'helper.mjs',
  'node_modules/evil/index.js',
  '.git/hooks/pre-commit',
  '.vscode/tasks.json',
  'plugins/mine/index.ts',
  'plugins/evil/plugin.yaml',
  'spaces/work/space.manifest.json',
  'spaces/work/agent/agent.yaml',
  'spaces/work/agent/tools/evil.md',
  'spaces/work/agents/evil.yaml',
  'spaces/work/lib/steps',
  'spaces/work/lib/other',
  'spaces/evil/agent/agent.yaml',
  'spaces/other/workspace/theirs.md',
  'spaces/other/workspace/new.md',
  'spaces/zwork/agent/agent.yaml',
  'data/state.json',
  'data/secrets/kept.txt',
  'data/new.json',
];

/** The same in the workspace of the acting space, where everything else is free. */
const inWorkspace = [
  'bin/run.sh',
  'bin/lib.sh',
  'bin/new.sh',
  'conf/play.sh',
  'hooks/check.sh',
  'nightly/sum.sh',
  'package.json',
  'Package.JSON',
  'GNUmakefile',
  'sub/.git/config',
  'sub/.GIT/config',
  'sub/.git./config',
  'sub/.g\u200dit/config',
  'sub/\uff0egit/config',
  'sub/GIT~1/config',
  'sub/node_modules/x/index.js',
  '.envrc',
  'AGENTS.md',
  '.claude/settings.json',
  'hard.yaml',
  'settings',
  'dangling',
  'agent/agent.yaml',
  'agent/../agent/SOUL.md',
  'up/pegboard.yaml',
  'up/data/secrets/kept.txt',
  'chain/agent.yaml',
  '../agent/agent.yaml',
  '../../../pegboard.yaml',
  'x/../../agent/agent.yaml',
];

/** Files of the source, if the home is the running clone. */
const inClone = [
  'host/dispatch/confirm.ts',
  'bin/pegboard.cjs',
  'tools/setup.cjs',
  'test/system/architecture/imports.test.ts',
  'schemas/plugin.schema.json',
  'docs/security.md',
  'plugins/builtin-core/index.ts',
  'package-lock.json',
];

/** Every path, absolute or relative to the home. */
export function pathsOf({ path, kind, free, ask, outside, userState }: BoundedHome): readonly string[] {
  const home = (name: string): string => join(path, name);
  return [
    ...inHome,
    ...inWorkspace.map((name) => `spaces/work/workspace/${name}`),
    ...(kind === 'a clone' ? inClone : []),
    home('pegboard.yaml'),
    `.//spaces/./work/workspace/../agent/agent.yaml`,
    `spaces/work/agent/agent.yaml/`,
    `/proc/self/cwd/../..${home('pegboard.yaml')}`,
    `/proc/self/root${home('pegboard.yaml')}`,
    '~/.bashrc',
    join(homedir(), '.profile'),
    `${long}.md`,
    `${'a/'.repeat(2_100)}x.md`,
    'notes.md\0.txt',
    join(free, 'srv/server.mjs'),
    join(free, 'srv/helper.mjs'),
    join(free, 'app/package.json'),
    join(free, 'app/.git/hooks/pre-commit'),
    join(free, '../outside/text.md'),
    join(ask, 'text.md'),
    join(ask, 'new.md'),
    join(outside, 'text.md'),
    join(outside, '.bashrc'),
    join(userState, 'homes/x/approved.json'),
    join(userState, 'homes/x/new.json'),
  ];
}

const evil = 'overwritten';

/** The attempts of a model that obeys everything: each tool that writes, at every possible target. */
export function attemptsIn(home: BoundedHome): readonly Attempt[] {
  const paths = pathsOf(home);
  const ofWorkspace = [...inWorkspace, 'up/spaces', '.', '..', join(home.path, 'notes.md')];
  return [
    ...paths.map((path): Attempt => ({ tool: 'write', args: { path, content: evil } })),
    ...paths.map((path): Attempt => ({
      tool: 'edit',
      args: { path, old_string: 'e', new_string: evil, replace_all: true },
    })),
    ...inWorkspace.map((path): Attempt => ({ tool: 'WsWrite', args: { path, content: evil } })),
    ...inWorkspace.map((path): Attempt => ({
      tool: 'WsEdit',
      args: { path, old_string: 'e', new_string: evil, replace_all: true },
    })),
    ...ofWorkspace
      // Deleting a link deletes only the link.
      .filter((path) => !['settings', 'dangling', 'hard.yaml'].includes(path))
      .flatMap((path): readonly Attempt[] => [
        { tool: 'WsDelete', args: { path } },
        { tool: 'WsDelete', args: { path, recursive: true } },
      ]),
    ...['sub', 'bin', 'd'].map((path): Attempt => ({ tool: 'WsDelete', args: { path, recursive: true } })),
    ...['soul', 'identity', 'user'].map((file): Attempt => ({
      tool: 'identity_update',
      args: { file, content: evil },
    })),
    ...['pegboard.yaml', 'spaces/work/workspace/bin/run.sh', 'notes.md'].flatMap(
      (path): readonly Attempt[] => [
        { tool: 'bash', args: { command: `echo ${evil} > ${path}` } },
        { tool: 'bash', args: { command: `cp notes.md ${path}`, cwd: '.' } },
      ],
    ),
  ];
}
