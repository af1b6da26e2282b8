import type { Diagnostic } from '../../api/diagnostic.ts';
import { PegboardError } from '../../core/errors.ts';
import { isWithin } from '../../core/files/paths.ts';
import { readTextFile } from '../../core/files/text-file.ts';
import type { Host } from '../../host.ts';
import { homeFiles, type FileKind } from '../../sources/manifests/files/home-files.ts';
import type { Context } from '../command.ts';
import { commandConflicts } from '../plugin-commands.ts';

/**
 * Modules and tools that files of agents and spaces name but that don't exist, and ids and defaults that collide. Only a host knows all
 * tools and agents, so one is opened where an agent names any.
 */
export async function lintAgents(
  home: string,
  paths: readonly string[],
  openHost: Context['openHost'],
): Promise<readonly Diagnostic[]> {
  const concerned = homeFiles(home).some(
    ({ kind, path, boundary }) =>
      (kind === 'agent' || kind === 'space') &&
      isChosen(path, paths) &&
      naming[kind].test(readTextFile(path, boundary).text ?? ''),
  );
  if (!concerned) return [];
  const host = await openUnlessBroken(openHost);
  return host?.spaces.agentDiagnostics.filter(({ path }) => isChosen(path!, paths)) ?? [];
}

/** Keys whose values only a host can check. */
const naming = {
  agent: /\b(id|default|modules|direct_modules|blockedTools|allow_untrusted|permissions)["']?\s*:/,
  space: /"blockedTools"\s*:/,
};

const code: ReadonlySet<FileKind> = new Set(['code', 'plugin']);
/** These wait for the owner's consent: nothing is wrong with them. */
const waiting: ReadonlySet<string> = new Set([
  'plugin-untrusted',
  'new-space',
  'changed-space',
  'changed-file',
]);

/**
 * What is wrong with plugins, spaces and skills as a host loads them, except for what was found without a host. Code has to
 * run for it, so nothing is reported for untrusted code.
 */
export async function lintLoaded(
  home: string,
  paths: readonly string[],
  openHost: Context['openHost'],
  found: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const asks = homeFiles(home).some(
    ({ kind, path, boundary }) =>
      isChosen(path, paths) &&
      (code.has(kind) || (kind === 'skill' && /\brequires\b/.test(readTextFile(path, boundary).text ?? ''))),
  );
  if (!asks) return [];
  const host = await openUnlessBroken(openHost);
  if (!host) return [];
  return [...host.plugins.diagnostics, ...commandConflicts(host), ...host.spaces.diagnostics].filter(
    (one) =>
      !waiting.has(one.code) &&
      one.path !== undefined &&
      isChosen(one.path, paths) &&
      !found.some((other) => isSame(one, other)),
  );
}

/** A plugin that does not start because of a mistake in a file quotes the diagnostic of that file. */
const isSame = (one: Diagnostic, other: Diagnostic): boolean =>
  (one.path === other.path && one.line === other.line) || one.message.includes(other.message);

/** Names of tools that are built in or come from plugins: they take precedence over those of spaces. */
export async function registeredNames(openHost: Context['openHost']): Promise<ReadonlyMap<string, string>> {
  const host = await openUnlessBroken(openHost);
  const names = new Map<string, string>();
  for (const { id, name, source } of host?.registry.snapshot.tools.values() ?? [])
    if ((source.kind === 'builtin' || source.kind === 'plugin') && !names.has(name)) names.set(name, id);
  return names;
}

const isChosen = (path: string, paths: readonly string[]): boolean =>
  paths.length === 0 || paths.some((chosen) => isWithin(chosen, path));

/** A configuration that no host can run with is a finding of its own. */
export async function openUnlessBroken(openHost: Context['openHost']): Promise<Host | undefined> {
  try {
    return await openHost();
  } catch (cause) {
    if (cause instanceof PegboardError && cause.code === 'PEG_CONFIG') return undefined;
    throw cause;
  }
}
