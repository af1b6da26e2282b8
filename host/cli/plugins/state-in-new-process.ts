import { join } from 'node:path';
import type { Host } from '../../host.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { packageRoot } from '../../core/files/paths.ts';
import { runProcess } from '../../core/processes/process.ts';
import type { PluginState } from '../../plugins/plugin-state.ts';

/** Milliseconds. */
const timeoutMs = 120_000;

export type FoundState = Partial<Pick<PluginState, 'state' | 'problem'>>;

/**
 * The state of a plugin as a new process finds it. This process may have packages of its version before in memory, which
 * Node never loads again.
 */
export async function stateInNewProcess(
  { home, surroundings: { env } }: Pick<Host, 'home' | 'surroundings'>,
  id: string,
  signal: AbortSignal,
): Promise<FoundState> {
  const entry = join(packageRoot, 'bin/pegboard.cjs');
  const environment = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  const { stdout, stderr, exitCode } = await runProcess({
    argv: [process.execPath, entry, 'plugins', 'list', '--json', '--home', home],
    cwd: home,
    environment: Object.fromEntries(environment),
    signal,
    timeoutMs,
  });
  const state = exitCode === 0 ? stateIn(stdout, id) : undefined;
  const ended = `the process that checked it ended with ${exitCode ?? 'a signal'}, without an answer`;
  return state ?? { problem: stderr.trim() || ended };
}

/** Undefined for what isn't such a list, as where a plugin has ended the process. */
function stateIn(text: string, id: string): FoundState | undefined {
  try {
    const { plugins } = parseJson(text) as {
      readonly plugins: readonly (FoundState & { readonly id: string })[];
    };
    return plugins.find((one) => one.id === id);
  } catch {
    return undefined;
  }
}
