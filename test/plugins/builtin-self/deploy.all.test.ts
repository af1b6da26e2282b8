import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import type { DeployPlan } from '../../../plugins/builtin-self/deploy-plan.ts';
import { owner, temporaryFolder } from '../../kit/homes/plugin-home.ts';
import { freePort } from '../../kit/mcp/mcp-http.ts';
import { app } from './project.ts';
import { sabotages, type Sabotage } from './sabotages.ts';
import { inEveryRun, expectTakenBack, limit, openDeployment, sabotaged, start } from './deployment.ts';

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
  test.for(Object.entries<Sabotage>(sabotages).filter(([what]) => what !== inEveryRun))(
    'of %s ends with the previous version running, and reports why',
    ([, sabotage]) => expectTakenBack(sabotage),
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
});
