import { spawn } from 'node:child_process';
import type { Surroundings } from '../../api/surroundings.ts';
import { browserProgram } from '../../core/platform/browser.ts';

/** Opens the URL in the person's browser, where there is one. A failure is no error: the URL is shown too. */
export function openUrl(url: string, { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): void {
  const program = browserProgram(env);
  if (!program) return;
  const [command, ...args] = program;
  const child = spawn(command, [...args, url], {
    stdio: 'ignore',
    detached: true,
    env,
    cwd: cwd(),
  });
  child.on('error', () => {});
  child.unref();
}
