import { childEnvironment, runProcess } from 'pegboard/processes';
import type { LineSearchEngine } from './line-search.ts';
import { ripgrepEngine } from './ripgrep.ts';

/** The best available engine: ripgrep from npm, ripgrep of the system, or our own. */
export async function chooseEngine(): Promise<LineSearchEngine> {
  const installed = await import('@vscode/ripgrep').then(
    ({ rgPath }) => rgPath,
    () => 'rg',
  );
  for (const program of new Set([installed, 'rg'])) if (await runs(program)) return ripgrepEngine(program);
  return (await import('./re2-search.ts')).searchByRe2;
}

async function runs(program: string): Promise<boolean> {
  try {
    const { exitCode } = await runProcess({
      argv: [program, '--no-config', '--version'],
      cwd: process.cwd(),
      environment: childEnvironment(),
      timeoutMs: 5_000,
    });
    return exitCode === 0;
  } catch {
    return false;
  }
}
