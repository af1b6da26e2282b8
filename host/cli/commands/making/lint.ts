import { resolve } from 'node:path';
import type { CommandHandler } from '../../command.ts';
import { countDiagnostics, showDiagnostics } from '../../terminal/diagnostics.ts';
import { heldNames, lintModules, lintRequirements } from '../../lint/lint-modules.ts';
import { lintServers } from '../../lint/lint-servers.ts';
import { diagnosticToJson } from '../../tools/tool-json.ts';

export const run: CommandHandler = async (context) => {
  const { words, options, terminal, home, openHost } = context;
  const { lint } = await import('../../../sources/manifests/check/lint.ts');
  const paths = words.map((path) => resolve(path));
  let opened: ReturnType<typeof openHost> | undefined;
  const openOnce = (): ReturnType<typeof openHost> => (opened ??= openHost());
  const diagnostics = [
    ...(await lint(home, paths, () => heldNames(openOnce))),
    ...(await lintModules(home, paths, openOnce)),
    ...(await lintRequirements(home, paths, openOnce)),
    ...(await lintServers(home, paths, openOnce, context)),
  ];
  const code = diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
  const { out, err } = terminal;
  if (options.flag('json')) {
    terminal.json({ diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, home)) });
    return code;
  }
  showDiagnostics(out, diagnostics, home);
  err.line(countDiagnostics(diagnostics) || err.style.good('No problems found.'));
  return code;
};
