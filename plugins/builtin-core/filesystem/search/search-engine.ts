import type { Surroundings } from 'pegboard';
import { childEnvironment, runProcess } from 'pegboard/processes';
import type { LineSearchEngine } from './line-search.ts';
import { ripgrepEngine } from './ripgrep.ts';

/** The best available engine: ripgrep from npm, ripgrep of the system, or our own. */
export async function chooseEngine(surroundings: Surroundings): Promise<LineSearchEngine> {
  const installed = await import('@vscode/ripgrep').then(
    ({ rgPath }) => rgPath,
    () => 'rg',
  );
  for (const program of new Set([installed, 'rg']))
    if (await runs(program, surroundings)) return ripgrepEngine(program, surroundings);
  return (await import('./re2-search.ts')).searchByRe2;
}

async function runs(program: string, { env, userHome }: Surroundings): Promise<boolean> {
  try {
    const { exitCode } = await runProcess({
      argv: [program, '--no-config', '--version'],
      cwd: userHome,
      environment: childEnvironment(env),
      timeoutMs: 5_000,
    });
    return exitCode === 0;
  } catch {
    return false;
  }
}
