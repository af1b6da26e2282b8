import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { createHost, type Host } from '../../../host/exports/embed.ts';
import { textOf } from '../../../host/index.ts';
import { attacks, type Attack } from './attack-table.ts';
import { surroundingsWith } from '../../kit/surroundings.ts';

const problem = await sandboxProblem();
const isRoot = process.getuid?.() === 0;

const files: { readonly [file: string]: string } = {
  'pegboard.yaml': '',
  'data/private.txt': 'private',
  'spaces/work/hooks/check.sh': 'exit 0\n',
  'spaces/work/agent/agent.yaml': 'id: work\nsandbox: workspace\n',
  'spaces/open/agent/agent.yaml': 'id: open\n',
  'spaces/other/workspace/notes.md': 'notes',
};
const repository = { '.git/config': '[core]\n', '.git/hooks/pre-commit': 'exit 0\n', 'package.json': '{}' };
const inWorkspace = {
  ...Object.fromEntries(Object.entries(repository).map(([file, text]) => [`proj/${file}`, text])),
  'proj/README.md': 'read me',
  'deep/er/.git/hooks/pre-commit': 'exit 0\n',
};

/** A user with a Pegboard home in their folder, and listening programs. */
class Scene implements AsyncDisposable {
  readonly #opened = new AsyncDisposableStack();
  #variables = '';
  #host!: Host;
  #folder = '';

  static async open(): Promise<Scene> {
    const scene = new Scene();
    // Not in /tmp, since a sandbox has its own.
    scene.#folder = await mkdtemp(join(homedir(), '.pegboard-test-'));
    scene.#opened.defer(() => rm(scene.#folder, { recursive: true, force: true }));
    const shared = `pegboard-test-${process.pid}`;
    scene.#opened.defer(() => rm(join('/dev/shm', shared), { force: true }));
    const state = join(scene.#folder, 'state');
    await put(state, { 'pegboard/approved.json': 'private' });
    await writeFile(join('/dev/shm', shared), 'private');
    await put(scene.#home, files);
    const socket = join(scene.#folder, 'socket');
    const variables = {
      PEG: scene.#home,
      XDG_STATE: state,
      HOST_PID: process.pid,
      NODE: process.execPath,
      SHARED: shared,
      SOCKET: socket,
      ABSTRACT: shared,
      PORT: await scene.#listen({ host: '127.0.0.1', port: 0 }),
    };
    await scene.#listen({ path: socket });
    await scene.#listen({ path: `\0${shared}` });
    scene.#variables = Object.entries(variables)
      .map(([name, value]) => `export ${name}='${value}'\n`)
      .join('');
    const surroundings = surroundingsWith({ XDG_STATE_HOME: state });
    scene.#host = scene.#opened.use(
      await createHost({ home: scene.#home, mcp: 'off', trustHome: true, surroundings }),
    );
    return scene;
  }

  get #home(): string {
    return join(this.#folder, 'home');
  }

  async #listen(where: { host: string; port: number } | { path: string }): Promise<number> {
    const server = createServer((socket) => socket.on('error', () => {}).end());
    server.listen(where);
    await once(server, 'listening');
    this.#opened.defer(() => void server.close());
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Whether it worked, for the agent with that name. */
  async tries(
    { command, shownBy }: Attack,
    agent: 'work' | 'open',
  ): Promise<{ worked: boolean; said: string }> {
    const workspace = join(this.#home, 'spaces/work/workspace');
    await rm(workspace, { recursive: true, force: true });
    for (const made of [
      'node_modules',
      'package.json',
      '.env',
      '.mcp.json',
      'notes.txt',
      'plugins',
      'spaces/evil',
    ])
      await rm(join(this.#home, made), { recursive: true, force: true });
    await put(this.#home, files);
    await put(workspace, inWorkspace);
    await symlink('README.md', join(workspace, 'proj/AGENTS.md'));
    const result = await this.#host.dispatch({
      name: 'filesystem.bash',
      args: { command: `${this.#variables}${command}`, cwd: 'spaces/work/workspace' },
      scope: this.#host.scopeFor(agent),
      caller: 'test',
      ask: async () => ({ action: 'accept', content: {} }),
    });
    const said = textOf(result);
    if (shownBy === 'output') return { worked: said.includes('got it'), said };
    const path = shownBy.file.replace('~', () => this.#home);
    const text = await readFile(path.startsWith('/') ? path : join(workspace, path), 'utf8').catch(() => '');
    return { worked: text.includes('evil'), said };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

async function put(folder: string, all: { readonly [file: string]: string }): Promise<void> {
  for (const [file, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

describe.skipIf(problem !== undefined)('where bubblewrap works, what is in a sandbox can not', () => {
  test.each(attacks)('$name', async (attack) => {
    const { worked, said } = await scene.tries(attack, 'work');
    expect(worked, said).toBe(false);
  });
});

describe('without a sandbox, so that the check can fail, it can', () => {
  test.each(attacks.filter(({ needsRoot = false }) => isRoot || !needsRoot))('$name', async (attack) => {
    const { worked, said } = await scene.tries(attack, 'open');
    expect(worked, said).toBe(true);
  });
});
