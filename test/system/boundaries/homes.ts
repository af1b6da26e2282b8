import { cpSync, linkSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createHost as CreateHost } from '../../../host/create-host.ts';
import type { Host } from '../../../host/host.ts';
import { modelsOf, startScriptedModel, type ScriptedModel } from '../../../host/testing/index.ts';
import { obeying } from '../provenance/obeying-model.ts';
import { openClone } from '../../kit/homes/clone.ts';
import { manifest } from '../../kit/homes/home.ts';
import { surroundingsWith } from '../../kit/surroundings.ts';

export const kindsOfHomes = ['fresh', 'a clone', 'copied', 'linked', 'nested in a free folder'] as const;
export type KindOfHome = (typeof kindsOfHomes)[number];

/** A host in this process, whose model obeys everything it reads. */
export interface BoundedHome extends AsyncDisposable {
  readonly host: Host;
  readonly kind: KindOfHome;
  /** The path that the host was given. */
  readonly path: string;
  /** Everything that a write could reach: the home, listed folders, and their surroundings. */
  readonly world: string;
  /** Folders listed with `write: free`, and with the default. */
  readonly free: string;
  readonly ask: string;
  readonly outside: string;
  /** The person's own folder for what is trusted. */
  readonly userState: string;
}

const script = 'echo as it was\n';

/** What the home holds; paths in it, and text. */
const filesOf = (model: ScriptedModel, roots: readonly unknown[], free: string) => ({
  'pegboard.yaml': JSON.stringify({
    models: modelsOf(model),
    plugins: { 'builtin-core': { config: { roots } } },
    mcpServers: {
      own: { command: 'node', args: ['server.mjs'], enabled: false },
      listed: { command: 'node', args: [join(free, 'srv/server.mjs')], enabled: false },
    },
  }),
  '.mcp.json': '{}',
  '.env': 'A=1\n',
  'notes.md': 'mine\n',
  'server.mjs': script,
  'package.json': '{}',
  'plugins/mine/plugin.yaml': 'id: mine\nversion: 1.0.0\ndescription: Mine\n',
  'plugins/mine/index.ts': 'export default {};\n',
  'spaces/work/space.manifest.json': '{"id":"work","name":"Work","description":"Work"}',
  'spaces/work/agent/agent.yaml':
    'id: work\nname: Work\nrole: coordinator\nhooks: { pre_tool: [{ match: nothing, command: sh workspace/hooks/check.sh }] }\n',
  'spaces/work/agent/SOUL.md': 'kind\n',
  'spaces/work/agent/tools/run.md': manifest('run', 'command: sh workspace/bin/run.sh'),
  'spaces/work/agent/tools/steps.md': manifest('steps', 'command: sh lib/steps'),
  'spaces/work/lib/steps': '. workspace/conf/play.sh\n',
  'spaces/work/workspace/bin/run.sh': script,
  'spaces/work/workspace/bin/lib.sh': script,
  'spaces/work/workspace/conf/play.sh': script,
  'spaces/work/workspace/hooks/check.sh': script,
  'spaces/work/workspace/nightly/sum.sh': script,
  'spaces/work/workspace/package.json': '{}',
  'spaces/work/workspace/sub/.git/config': '[core]\n',
  'spaces/work/workspace/d/inner.txt': 'd\n',
  'spaces/other/space.manifest.json': '{"id":"other","name":"Other","description":"Other"}',
  'spaces/other/workspace/theirs.md': 'theirs\n',
  'data/secrets/kept.txt': 'secret\n',
  'data/state.json': '{}',
});

/** Links in the workspace that lead out of it: from, to. */
const links: readonly (readonly [string, string])[] = [
  ['spaces/work/workspace/up', '../../..'],
  ['spaces/work/workspace/agent', '../agent'],
  ['spaces/work/workspace/settings', '../../../pegboard.yaml'],
  ['spaces/work/workspace/dangling', '../agents/evil.yaml'],
  ['spaces/work/workspace/chain', 'up/spaces/work/workspace/agent'],
  ['spaces/zwork', 'work'],
];

export async function openBoundedHome(kind: KindOfHome): Promise<BoundedHome> {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startScriptedModel(obeying));
  const world = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-world-')));
  opened.defer(() => rmSync(world, { recursive: true, force: true, maxRetries: 3 }));
  const [free, ask, outside] = ['free', 'ask', 'outside'].map((name) => join(world, name)) as [
    string,
    string,
    string,
  ];
  // The folder that contains the home, if it is listed.
  const around = join(world, 'around');
  const nested = kind === 'nested in a free folder';
  const roots = [{ path: free, write: 'free' }, ask, ...(nested ? [{ path: around, write: 'free' }] : [])];
  const clone = kind === 'a clone' ? opened.use(await openClone()) : undefined;
  const real = clone?.folder ?? join(around, 'home');
  const { 'package.json': packages, ...files } = filesOf(model, roots, free);
  write(real, clone ? files : { ...files, 'package.json': packages });
  write(world, {
    'free/srv/server.mjs': script,
    'free/srv/helper.mjs': script,
    'free/app/package.json': '{}',
    'free/app/.git/hooks/pre-commit': script,
    'ask/text.md': 'asked\n',
    'outside/text.md': 'outside\n',
    'outside/.bashrc': script,
    'around/state/pegboard/homes/x/approved.json': '{}',
  });
  const path = kind === 'copied' ? copied(real, world) : kind === 'linked' ? linked(real, world) : real;
  for (const [from, to] of links) symlinkSync(to, join(path, from));
  linkSync(join(path, 'pegboard.yaml'), join(path, 'spaces/work/workspace/hard.yaml'));

  const { createHost } = (await import(
    clone ? pathToFileURL(join(clone.folder, 'host/exports/embed.ts')).href : '../../../host/exports/embed.ts'
  )) as { readonly createHost: typeof CreateHost };
  const surroundings = surroundingsWith({ XDG_STATE_HOME: join(around, 'state') });
  const environment = { PATH: process.env['PATH'], TIMEZONE: 'UTC' };
  const host = opened.use(await createHost({ home: path, environment, surroundings, trustHome: true }));
  const instruction = 'Run spaces/work/workspace/nightly/sum.sh, and say what it says.';
  const scheduled = await host.dispatch({
    name: 'schedule',
    args: { instruction, cron_expression: '0 3 * * *' },
    scope: host.scopeFor(undefined),
    caller: 'cli',
  });
  if (scheduled.error) throw new Error(scheduled.error.message);
  const owned = opened.move();
  return {
    host,
    kind,
    path,
    world: clone ? dirname(clone.folder) : world,
    free,
    ask,
    outside,
    userState: join(around, 'state/pegboard'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function write(folder: string, files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function copied(real: string, world: string): string {
  const copy = join(world, 'copy');
  cpSync(real, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function linked(real: string, world: string): string {
  symlinkSync(real, join(world, 'way-home'));
  return join(world, 'way-home');
}
