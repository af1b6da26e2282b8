import type { Host } from '../host.ts';
import { diagnosticKey, showDiagnostics } from './terminal/diagnostics.ts';
import type { Surface } from './terminal/terminal.ts';

/** Reports every reload: the generation of each plugin, the tools that came and went, and present problems. */
export function reportChanges(host: Host, err: Surface): Disposable {
  const { style } = err;
  let tools = new Set(host.registry.snapshot.tools.keys());
  let generations = new Map<string, string>();
  let known = new Set<string>();
  const time = (): string => style.quiet(new Date().toTimeString().slice(0, 8));

  const report = (): void => {
    const now = new Set(host.registry.snapshot.tools.keys());
    const came = [...now].filter((id) => !tools.has(id));
    const went = [...tools].filter((id) => !now.has(id));
    tools = now;
    const standing = new Map(
      host.plugins.states.map(({ manifest, state, generation }) => [
        manifest.id,
        `${state}, generation ${generation}`,
      ]),
    );
    for (const [id, state] of standing) {
      if (generations.size > 0 && generations.get(id) !== state)
        err.line(`${time()} ${style.name(id)} ${state}`);
    }
    generations = standing;
    if (came.length > 0) err.line(`${time()} ${style.good('+')} ${came.join(', ')}`);
    if (went.length > 0) err.line(`${time()} ${style.bad('-')} ${went.join(', ')}`);
    const fresh = host.diagnostics.filter((diagnostic) => !known.has(diagnosticKey(diagnostic)));
    known = new Set(host.diagnostics.map(diagnosticKey));
    if (fresh.length > 0) showDiagnostics(err, fresh, host.home);
  };
  report();
  const listening = [host.onChange(report), host.plugins.onChange(() => queueMicrotask(report))];
  return { [Symbol.dispose]: () => listening.forEach((listener) => listener[Symbol.dispose]()) };
}
