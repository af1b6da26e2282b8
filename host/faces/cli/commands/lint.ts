import { resolve } from 'node:path';
import type { Run } from '../command.ts';
import { countDiagnostics, showDiagnostics } from '../terminal/diagnostics.ts';
import { diagnosticToJson } from '../tool-json.ts';

export const run: Run = async ({ words, options, terminal, home }) => {
  const { lint } = await import('../../../sources/manifests/lint.ts');
  const diagnostics = await lint(
    home,
    words.map((path) => resolve(path)),
  );
  const code = diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
  const { out, err } = terminal;
  if (options.flag('json')) {
    terminal.json({ diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, home)) });
    return code;
  }
  showDiagnostics(out, diagnostics, home);
  err.line(countDiagnostics(diagnostics) || err.style.good('Nothing to mend.'));
  return code;
};
