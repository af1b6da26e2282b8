import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import { textOf } from '../../../host/tools/result.ts';
import type { DeployPlan } from '../../../plugins/builtin-self/deploy-plan.ts';
import { openPluginHome, owner, temporaryFolder, type PluginHome } from '../../kit/homes/plugin-home.ts';
import { freePort } from '../../kit/mcp/mcp-http.ts';
import { app, createProject, versionIn, type TestProject } from './project.ts';
import { sabotages, type Sabotage } from './sabotages.ts';

/** Maximum milliseconds for any wait. */
const limit = 120_000;

interface Deployment extends AsyncDisposable {
  readonly home: PluginHome;
  readonly project: TestProject;
  /** The final report to the owner, from the tool or from the next host. */
  readonly deploy: () => Promise<string>;
}

/** Version 1 runs, and messages reach the terminal. */
async function openDeployment(
  options: {
    readonly config?: object;
    readonly first?: string;
    readonly root?: string;
    /** The host can't send messages. */
    readonly isMute?: boolean;
  } = {},
): Promise<Deployment> {
  const { config, isMute, ...rest } = options;
  const project = createProject(rest);
  const told = Promise.withResolvers<string>();
  const home = await openPluginHome({
    settings: {
      'builtin-self': {
        config: {
          projectRoot: project.root,
          restart: [process.execPath, 'tools/restart.cjs'],
          health: ['sh', 'tools/health.sh'],
          commandLimit: 6,
          healthWithin: 3,
          healthFor: 1.2,
          ...config,
        },
      },
    },
    services: {
      development: false,
      deliver: async ({ channel, chat }, { text }) => {
        if (isMute) throw new Error('nobody is there');
        told.resolve(`${channel}/${chat}: ${text}`);
      },
    },
    environment: { PATH: process.env['PATH'] },
  });
  mkdirSync(home.path('data'), { recursive: true });
  await home.plugins.startServices();
  return {
    home,
    project,
    async deploy() {
      const result = await home.call('self_deploy', {}, { ...owner, confirm: 'never' });
      return result.error ? textOf(result) : await told.promise;
    },
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      stop(project.root);
    },
  };
}

const start = (root: string): void => {
  execFileSync(process.execPath, ['tools/restart.cjs'], { cwd: root });
};

function stop(root: string): void {
  try {
    process.kill(Number(readFileSync(join(root, 'app.pid'), 'utf8')), 'SIGKILL');
  } catch {
    // It is not running.
  }
}

/** Commits the sabotage on a running version 1, and deploys it. In any case, version 1 answers at the end. */
async function sabotaged(
  { project, home, deploy }: Deployment,
  sabotage: Pick<Sabotage, 'files' | 'prepare'>,
): Promise<string> {
  const { root, write, git } = project;
  sabotage.prepare?.(project, home.home);
  start(root);
  // Not expect.poll, which can't be attributed to one of several concurrent tests.
  await vi.waitFor(async () => expect(await versionIn(root)).toBe('v1'), { timeout: limit });
  for (const [path, text] of Object.entries(sabotage.files)) write(path, text);
  git('add', '-A');
  git('commit', '-qm', 'Sabotage');
  const told = await deploy();
  expect(await versionIn(root)).toBe('v1');
  return told;
}

/** A file system of this number of megabytes; undefined where mounting is not allowed. */
function smallDisk(megabytes: number): (Disposable & { readonly root: string }) | undefined {
  const root = temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', root]);
  if (mounted.status !== 0) return undefined;
  return { root, [Symbol.dispose]: () => void spawnSync('umount', ['-l', root]) };
}
const canMount = ((): boolean => {
  using disk = smallDisk(1);
  return disk !== undefined;
})();

describe('a deploy', () => {
  test('of a good version puts it into service, and says so', async () => {
    await using deployment = await openDeployment();
    const { project, home, deploy } = deployment;
    start(project.root);
    project.write('host/app.cjs', app('v2'));
    project.git('commit', '-aqm', 'Two');
    expect(await deploy()).toMatch(/^terminal\/cli: Deployed: the new version \([0-9a-f]{9}\) is running\.$/);
    expect(await versionIn(project.root)).toBe('v2');
    expect(project.git('rev-parse', 'in-service')).toBe(project.git('rev-parse', 'HEAD'));
    expect(readFileSync(home.path('data/deploy.log'), 'utf8')).toContain('the new version is healthy');
    expect(existsSync(join(project.root, '.git/pegboard-reserve'))).toBe(false);
  });

  test.for(Object.entries<Sabotage>(sabotages))(
    'of %s ends with the previous version running, and reports why',
    async ([, sabotage]) => {
      await using deployment = await openDeployment(sabotage);
      const told = await sabotaged(deployment, sabotage);
      expect(told).toMatch(/^terminal\/cli: The new version \([0-9a-f]{9}\) was unhealthy: /);
      expect(told).toMatch(sabotage.says);
      expect(told).toMatch(/ pre-deploy-\w+, the previous version, is running again\.$/);
      const { git } = deployment.project;
      expect(git('diff', '--stat', 'in-service', 'HEAD')).toBe('');
      expect(git('log', '--format=%s')).toMatch(/^Roll back to pre-deploy-.*\nSabotage\nFirst/);
    },
  );

  test('goes back to the version that ran, however many commits came after it, and shows all of them', async () => {
    await using deployment = await openDeployment();
    const { project, home } = deployment;
    for (const [path, text] of [
      ['host/one.ts', 'export const one = 1;'],
      ['host/two.ts', 'export const two = 2;'],
    ] as const) {
      project.write(path, text);
      project.git('add', '-A');
      project.git('commit', '-qm', path);
    }
    // A reload is no restart: the version that runs is still the first.
    await home.plugins.reload('builtin-self');
    const told = await sabotaged(deployment, { files: { 'host/app.cjs': 'process.exit(1);' } });
    expect(told).toMatch(/running again\.$/);
    expect(existsSync(join(project.root, 'host/one.ts'))).toBe(false);
    project.write('host/app.cjs', app('v2'));
    project.git('commit', '-aqm', 'Two');
    let shown = '';
    const ask: Ask = async ({ detail = '' }) => {
      shown = detail;
      return { action: 'decline' };
    };
    await home.call('self_deploy', {}, { ...owner, ask });
    expect(shown).toMatch(/^-.*response\.end\('v1'\)/m);
    expect(shown).toMatch(/^\+.*response\.end\('v2'\)/m);
  });

  test('does not begin when the running version is unknown', async () => {
    await using deployment = await openDeployment();
    rmSync(deployment.home.path('data/in-service.json'));
    const told = await sabotaged(deployment, { files: { 'host/app.cjs': app('v2') } });
    expect(told).toContain('the running version is unknown');
  });

  test.for([
    ['/healthz', 'Deployed: the new version'],
    ['/health', 'the health check ended with 1: 404'],
  ] as const)('is judged by an address: %s', async ([path, says]) => {
    const port = await freePort();
    const config = { health: `http://127.0.0.1:${port}${path}` };
    const serving = (version: string): string => `${app(version)}
      require('http').createServer((request, response) => {
        response.statusCode = request.url === '/healthz' ? 200 : 404; response.end();
      }).listen(${port}, '127.0.0.1');`;
    await using deployment = await openDeployment({ config, first: serving('v1') });
    const { project } = deployment;
    start(project.root);
    project.write('host/app.cjs', serving('v2'));
    project.git('commit', '-aqm', 'Two');
    expect(await deployment.deploy()).toContain(says);
  });

  test('that no host can report is reported by its supervisor', async () => {
    await using deployment = await openDeployment({ isMute: true });
    const { project, home } = deployment;
    start(project.root);
    project.write('host/app.cjs', 'process.exit(1);');
    project.git('commit', '-aqm', 'Sabotage');
    await home.call('self_deploy', {}, { ...owner, confirm: 'never' });
    const terminal = home.plugins.instances.flatMap(({ channels }) => channels['terminal'] ?? [])[0]!;
    const told: unknown[] = [];
    const look = async (): Promise<unknown> => {
      told.push(...(await terminal.take!('cli')));
      return told;
    };
    await vi.waitFor(async () => expect(await look()).toHaveLength(1), { timeout: limit, interval: 250 });
    expect(told).toMatchObject([
      { text: expect.stringMatching(/^The new version .* was unhealthy: .* running again\.$/) as string },
    ]);
    const { reported: isTold } = JSON.parse(
      readFileSync(home.path('data/deploy.json'), 'utf8'),
    ) as DeployPlan;
    expect(isTold).toBe(true);
  });

  test('whose log meets a full disk still rolls back', async () => {
    await using deployment = await openDeployment();
    symlinkSync('/dev/full', deployment.home.path('data/deploy.log'));
    const told = await sabotaged(deployment, { files: { 'host/app.cjs': 'process.exit(1);' } });
    expect(told).toMatch(/was unhealthy: .* running again\.$/);
  });

  test.skipIf(!canMount)('of a version that fills the disk goes back in the room that was kept', async () => {
    using disk = smallDisk(24)!;
    await using deployment = await openDeployment({ root: disk.root });
    const fill = `const fs = require('fs'); const file = fs.openSync('full.fill', 'w');
      try { for (;;) fs.writeSync(file, Buffer.alloc(65536, 1)); } catch {}
      setInterval(() => {}, 1000); // ${'x'.repeat(60_000)}`;
    const told = await sabotaged(deployment, { files: { 'host/app.cjs': fill } });
    expect(told).toMatch(/was unhealthy: .* running again\.$/);
  });

  test.skipIf(!canMount)('does not begin on a disk without room for the way back', async () => {
    using disk = smallDisk(6)!;
    await using deployment = await openDeployment({ root: disk.root });
    const told = await sabotaged(deployment, { files: { 'host/app.cjs': app('v2') } });
    expect(told).toMatch(/Not deployed, and nothing was restarted: ENOSPC/);
  });

  test.for([
    ['wrong types', '// type error', 'Not deployed: the types are wrong'],
    ['failing tests', '// failing test', 'Not deployed: the tests are wrong'],
  ] as const)('does not begin with %s', async ([, code, says]) => {
    await using deployment = await openDeployment();
    expect(await sabotaged(deployment, { files: { 'host/app.cjs': code } })).toContain(says);
  });

  test('does not begin with changes that are not committed, or during another deploy', async () => {
    await using deployment = await openDeployment();
    const { project, home } = deployment;
    project.write('.git/hooks/post-commit', '#!/bin/sh\necho >> tools/health.sh\n');
    chmodSync(join(project.root, '.git/hooks/post-commit'), 0o755);
    const files = { 'host/app.cjs': app('v2') };
    expect(await sabotaged(deployment, { files })).toMatch(/not committed[^]*tools\/health\.sh/);
    project.git('checkout', '-q', '.');
    writeFileSync(
      home.path('data/deploy.json'),
      JSON.stringify({ state: 'begun', tag: 'pre-deploy-x', pid: process.pid }),
    );
    expect(await deployment.deploy()).toContain('The deploy after pre-deploy-x is still under way');
  });

  test('does not begin when its tag is there already, or after three in an hour', async () => {
    await using deployment = await openDeployment();
    const { project, home } = deployment;
    const commit = project.git('rev-parse', 'HEAD');
    for (let second = 0; second < limit / 1000; second++) {
      const time = new Date(Date.now() + second * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
      project.write(`.git/refs/tags/pre-deploy-${time}`, commit);
    }
    const files = { 'host/app.cjs': app('v2') };
    expect(await sabotaged(deployment, { files })).toMatch(/tag 'pre-deploy-\w+' already exists/);
    writeFileSync(home.path('data/deploys.json'), JSON.stringify([1, 2, 3].map(() => Date.now())));
    expect(await deployment.deploy()).toContain('3 deploys in the last hour');
  });
});
