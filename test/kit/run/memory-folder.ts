import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../../host/core/platform/process-identity.ts';

const memory = '/dev/shm';
const prefix = 'pegboard-tests-';
/** Bytes that a whole run may take. */
const needed = 6 * 1024 ** 3;

/**
 * A folder in memory for what tests write, which is removed when this process ends: a disk takes a third of all processor
 * time. Undefined where the system has none, no room in it, or runs no programs from there.
 */
export function openMemoryFolder(): string | undefined {
  try {
    removeLeft();
    const { bavail, bsize } = statfsSync(memory);
    if (Math.min(bavail * bsize, process.availableMemory()) < needed) return undefined;
    const folder = join(memory, `${prefix}${process.pid}`);
    mkdirSync(folder);
    // Servers of the tests run as other users.
    chmodSync(folder, 0o1777);
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status !== 0) return undefined;
    rmSync(program);
    return folder;
  } catch {
    return undefined;
  }
}

/** Of runs that were killed. */
function removeLeft(): void {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : process.pid;
    if (!isRunning(pid)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}
