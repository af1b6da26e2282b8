import { spawn } from 'node:child_process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isRunning } from '../../../../host/core/platform/process-identity.ts';

test('a process that has ended and that nobody has waited for does not run', async () => {
  // The program that replaces the shell doesn't know the shell's child.
  const parent = spawn('sh', ['-c', 'sh -c "sleep 0.1" & echo $!; exec sleep 30'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = await new Promise<string[]>((resolve) =>
    parent.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).split('\n'))),
  );
  expect(isRunning(parent.pid!)).toBe(true);
  await vi.waitFor(() => expect(isRunning(Number(line))).toBe(false), 20_000);
  // Its pid is still in use.
  process.kill(Number(line), 0);
});
