import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPegboard, type RunningCli } from '../cli.ts';
import { createHome, manifest, type TestHome } from '../homes/home.ts';
import { postgresUrl } from '../postgres.ts';
import { startRoundRobin, type RoundRobin } from '../servers/round-robin.ts';

export interface McpHost {
  readonly home: TestHome;
  readonly port: number;
  readonly pid: number;
  /** As it has printed them. */
  readonly token: string;
  readonly code: string;
  kill(): Promise<void>;
  /** After `kill`. */
  start(): Promise<void>;
}

/** Hosts that serve MCP, each with a folder of its own, on one database, behind a load balancer. */
export interface McpHosts extends AsyncDisposable {
  readonly hosts: readonly McpHost[];
  readonly proxy: RoundRobin;
  /** Of the load balancer. */
  readonly origin: string;
  /** Absolute; removed at the end. */
  readonly folder: string;
  /** What the tools have noted, on all hosts. */
  effects(): readonly string[];
}

export async function startMcpHosts(count: number): Promise<McpHosts> {
  await using opening = new AsyncDisposableStack();
  const proxy = opening.use(await startRoundRobin());
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-effects-'));
  opening.defer(() => rm(folder, { recursive: true }));
  const origin = `http://127.0.0.1:${proxy.port}`;
  const files = {
    'pegboard.yaml': JSON.stringify({
      serve: { mode: 'direct', allowedHosts: [`localhost:${proxy.port}`], oauth: { publicUrl: origin } },
      plugins: { work: { trusted: true } },
    }),
    'pegboard.local.yaml': `state: ${await postgresUrl()}`,
    'plugins/work/plugin.yaml':
      'id: work\nversion: "1.0.0"\ndescription: Work\npacks:\n  work: { description: Work }\n',
    'plugins/work/index.ts': `export { default } from ${JSON.stringify(join(import.meta.dirname, '../../fixtures/mcp-hosts/plugin.ts'))};\n`,
    'spaces/shared/agent/tools/old.md': manifest('old', 'command: echo old'),
  };
  const all = await Promise.all(
    Array.from({ length: count }, async () => {
      const home = opening.use(await createHome(files));
      return opening.use(await startHost(home, folder));
    }),
  );
  const hosts: McpHosts['hosts'] = all;
  const follow = (): void => {
    proxy.targets = hosts.map(({ port }) => port);
  };
  for (const host of all) host.onStart = follow;
  follow();
  const opened = opening.move();
  return {
    hosts,
    proxy,
    origin,
    folder,
    effects: () => {
      const file = join(folder, 'effects.txt');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function startHost(
  home: TestHome,
  effects: string,
): Promise<McpHost & AsyncDisposable & { onStart: () => void }> {
  let running: RunningCli;
  let shown: RegExpExecArray;
  const start = async (): Promise<void> => {
    running = startPegboard(['serve', '--http', '0'], {
      home: home.path,
      env: { TEST_EFFECTS: effects },
      apart: true,
    });
    const printed = /127\.0\.0\.1:(\d+)\/mcp[^]*?token +(\S+)[^]*?code +(\S+)/;
    shown = printed.exec(await running.waitFor(printed))!;
  };
  await start();
  const host = {
    home,
    get port() {
      return Number(shown[1]);
    },
    get pid() {
      return running.child.pid!;
    },
    get token() {
      return shown[2]!;
    },
    get code() {
      return shown[3]!;
    },
    onStart() {},
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended;
    },
    async start() {
      await start();
      host.onStart();
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
  return host;
}
