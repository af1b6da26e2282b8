import type { Host } from '../../host.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { warn } from '../warn.ts';

/**
 * Prints which plugins and tools in TypeScript have changed since they were approved, or have a broken plugin.yaml, and
 * which plugins from elsewhere are not what was added: they run as they were approved, or not at all when the copy of that
 * is damaged.
 */
export function warnOfPendingCode({ plugins, trust }: Host, terminal: Terminal): void {
  for (const { pending, problem, manifest, state } of plugins.states)
    if (
      (pending || manifest.broken || state === 'running') &&
      problem !== undefined &&
      trust.list().some(({ id }) => id === manifest.id)
    )
      warn(terminal, problem);
}
