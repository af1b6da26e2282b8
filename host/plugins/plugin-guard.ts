import type { PluginContext } from '../api/plugin.ts';
import { messageOf } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import { guarded } from '../core/platform/exit-guard.ts';
import { asSentence } from '../core/text/as-sentence.ts';
import type { PluginManifest } from './loading/manifest.ts';
import { describePlugin } from './plugin-state.ts';

/** Enters the code of one plugin: what it does from there on, also later, is known to be its own. */
export interface PluginGuard {
  /** Whether the plugin came with Pegboard. */
  readonly isOwn: boolean;
  /** Somebody waits for the end of this. What it throws later, where nobody waits for it, is only reported. */
  readonly call: <T>(run: () => T) => T;
  readonly setUp: <T>(run: () => T) => T;
  /** What it throws where nobody waits for it goes to `stop`. */
  readonly service: <T>(run: () => T, stop: (cause: unknown) => void) => T;
  /** What `setup` left running has failed: nobody knows which service it belongs to. */
  onSetUpFailed: (cause: unknown) => void;
  /** Tells the owner. `what`: a sentence without its end, such as "the service poller was stopped". */
  readonly report: (what: string, cause: unknown) => void;
}

export function createPluginGuard(
  manifest: PluginManifest,
  context: Pick<PluginContext, 'log' | 'report'>,
): PluginGuard {
  const { id, builtin, dynamic } = manifest;
  const name = describePlugin(manifest);
  const remedy = dynamic
    ? `Change the code in ${dynamic.root}, or move it elsewhere.`
    : `\`${pegboard} plugins disable ${id}\` turns the plugin off.`;
  const enter = <T>(run: () => T, onLate: (cause: unknown) => void, isLoading = false): T =>
    // What came with Pegboard is its own code.
    builtin ? run() : guarded({ name, remedy, isLoading, onLate }, run);
  const guard: PluginGuard = {
    isOwn: builtin,
    call: (run) => enter(run, (cause) => guard.report('it failed where nobody waits for it', cause)),
    setUp: (run) => enter(run, (cause) => guard.onSetUpFailed(cause), true),
    service: enter,
    onSetUpFailed: (cause) => guard.report('what its setup left running failed', cause),
    report(what, cause) {
      context.log.error(`${name}: ${what}`, { cause });
      context.report({
        name: dynamic ? name : `plugin ${id}`,
        status: 'failed',
        message: `${what}: ${asSentence(messageOf(cause))}`,
        fix: remedy,
      });
    },
  };
  return guard;
}
