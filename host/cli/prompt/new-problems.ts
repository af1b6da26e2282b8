import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Host } from '../../host.ts';
import { startInterval } from '../../core/async/timer.ts';
import { diagnosticKey, diagnosticLines } from '../terminal/diagnostics.ts';
import type { Surface } from '../terminal/terminal.ts';
import type { Input } from './input.ts';

const pollIntervalMs = 1_500;

/** Shows errors in files of the home that are saved while the prompt is open. The greeting has counted those before. */
export function showNewProblems(host: Host, input: Pick<Input, 'print'>, surface: Surface): Disposable {
  let known = new Set(errorsOf(host).keys());
  let before: ReadonlySet<string> = known;
  const look = (): void => {
    const now = errorsOf(host);
    // A file that is being written may be broken for a moment.
    const lasting = [...now].filter(([key]) => !known.has(key) && before.has(key));
    before = new Set(now.keys());
    known = new Set([...known.intersection(before), ...lasting.map(([key]) => key)]);
    if (lasting.length === 0) return;
    const problems = lasting.map(([, problem]) => problem);
    input.print([...diagnosticLines(surface, problems, host.home), '']);
  };
  return startInterval(pollIntervalMs, look, host.surroundings.clock);
}

const errorsOf = ({ diagnostics }: Host): ReadonlyMap<string, Diagnostic> =>
  new Map(diagnostics.filter(({ severity }) => severity === 'error').map((one) => [diagnosticKey(one), one]));
