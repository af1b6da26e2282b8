import { basename, join } from 'node:path';
import { absolutePath } from '../../absolute-path.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { countDiagnostics, showDiagnostics } from '../../terminal/diagnostics.ts';
import { lintAgents, lintLoaded, openUnlessBroken, registeredNames } from '../../lint/lint-agents.ts';
import { diagnosticToJson } from '../../../status/diagnostic-json.ts';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { untilAborted } from '../../../core/async/deadline.ts';
import { configFiles } from '../../../core/files/config-files.ts';
import { readTextFile } from '../../../core/files/text-file.ts';

const leftOut = new Set(['mcp-malformed-tool', 'mcp-duplicate-tool', 'mcp-list-cut', 'mcp-other-module']);

export const run: CommandHandler = async (context) => {
  const { words, options, terminal, surroundings, home, openHost } = context;
  const { lint } = await import('../../../sources/manifests/check/lint.ts');
  const paths = words.map((path) => absolutePath(path, surroundings));
  let opened: ReturnType<typeof openHost> | undefined;
  const openOnce = (): ReturnType<typeof openHost> => (opened ??= openHost());
  const found = [
    ...(await lint(home, paths, () => registeredNames(openOnce))),
    ...(await lintAgents(home, paths, openOnce)),
  ];
  const diagnostics = [
    ...found,
    ...(await lintLoaded(home, paths, openOnce, found)),
    ...(await lintServers(home, paths, openOnce, context)),
    ...(await lintRules(home, paths, openOnce)),
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

/** Tools of the home's MCP servers that were left out at the last connection. No server is started. */
async function lintServers(
  home: string,
  paths: readonly string[],
  openHost: Context['openHost'],
  { signal }: Pick<Context, 'signal'>,
): Promise<readonly Diagnostic[]> {
  if (!isConfigChosen(home, paths) || !names(home, /\bmcpServers\b/)) return [];
  const host = await openUnlessBroken(openHost);
  if (!host) return [];
  await untilAborted(host.registry.settled(), signal);
  return host.registry.snapshot.diagnostics.filter(({ code }) => leftOut.has(code));
}

/** Permission rules of the home that name no tool, or do nothing. */
async function lintRules(
  home: string,
  paths: readonly string[],
  openHost: Context['openHost'],
): Promise<readonly Diagnostic[]> {
  if (!isConfigChosen(home, paths) || !names(home, /\bpermissions\b/)) return [];
  const host = await openUnlessBroken(openHost);
  const { ruleDiagnostics } = await import('../../../doctor/permitted.ts');
  return host ? ruleDiagnostics(host) : [];
}

const isConfigChosen = (home: string, paths: readonly string[]): boolean =>
  paths.length === 0 || paths.some((path) => path === home || configFiles.includes(basename(path)));

/** Opening a host takes a while. */
const names = (home: string, key: RegExp): boolean =>
  configFiles.some((name) => key.test(readTextFile(join(home, name), [home]).text ?? ''));
