import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { textOf } from '../../../host/tools/result.ts';
import { openPluginHome, owner, type PluginHome } from '../../kit/homes/plugin-home.ts';
import { compileCache } from '../../kit/mcp/mcp-source.ts';
import { createProject, versionIn, type TestProject } from './project.ts';
import { sabotages, type Sabotage } from './sabotages.ts';

/** Maximum milliseconds for any wait. */
export const limit = 120_000;

export interface Deployment extends AsyncDisposable {
  readonly home: PluginHome;
  readonly project: TestProject;
  /** The final report to the owner, from the tool or from the next host. */
  readonly deploy: () => Promise<string>;
}

/** Version 1 runs, and messages reach the terminal. */
export async function openDeployment(
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
    environment: { PATH: process.env['PATH'], ...compileCache },
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

export const start = (root: string): void => {
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
export async function sabotaged(
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

/** The sabotage that `npm test` deploys; all others are for CI, which has the time. */
export const inEveryRun = 'a throw at boot' satisfies keyof typeof sabotages;

/** Deploys the sabotage on a running version 1, and expects that it was taken back and said why. */
export async function expectTakenBack(sabotage: Sabotage): Promise<void> {
  await using deployment = await openDeployment(sabotage);
  const told = await sabotaged(deployment, sabotage);
  expect(told).toMatch(/^terminal\/cli: The new version \([0-9a-f]{9}\) was unhealthy: /);
  expect(told).toMatch(sabotage.says);
  expect(told).toMatch(/ pre-deploy-\w+, the previous version, is running again\.$/);
  const { git } = deployment.project;
  expect(git('diff', '--stat', 'in-service', 'HEAD')).toBe('');
  expect(git('log', '--format=%s')).toMatch(/^Roll back to pre-deploy-.*\nSabotage\nFirst/);
}
