import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FullDisk } from '../../kit/kills/full-disk.ts';
import { bundleWork } from '../../kit/kills/lives.ts';
import { createUnusedHome } from '../../kit/homes/home.ts';

const inNamespace = ['--user', '--map-root-user', '--mount'];
/** Without permission to create namespaces, a small disk can't be mounted. */
const isPossible = spawnSync('unshare', [...inNamespace, 'true']).status === 0;

test.skipIf(!isPossible)(
  'on a full disk nothing that was acknowledged is lost, writers get an error, and with space work continues',
  async () => {
    await using home = await createUnusedHome();
    await using elsewhere = await createUnusedHome();
    const program = await bundleWork(elsewhere.path);
    const tester = join(import.meta.dirname, '../../kit/kills/full-disk.ts');
    const args = [...inNamespace, process.execPath, tester, program, home.path];
    const report = JSON.parse(execFileSync('unshare', args, { encoding: 'utf8' })) as FullDisk;
    expect(report.violations).toEqual([]);
    expect(report.acknowledged[0]).toBeGreaterThan(50);
    expect(report.acknowledged[1]).toBeGreaterThan(0);
    expect(report.failures.length).toBeGreaterThan(0);
    for (const failure of report.failures) expect(failure).toMatch(/no space|disk is full|ENOSPC/i);
  },
);
