import type { Diagnostic } from '../api/diagnostic.ts';
import { PegboardError, messageOf } from '../core/errors.ts';
import { asSentence } from '../core/text/as-sentence.ts';
import type { PluginManifest } from './loading/manifest.ts';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The state of a plugin, and why it does not run. */
export interface PluginState {
  readonly manifest: PluginManifest;
  readonly state: 'running' | 'disabled' | 'untrusted' | 'failed';
  /** 1 at startup, incremented by each reload. */
  readonly generation: number;
  /** Also set while the last good generation keeps running. */
  readonly problem?: string;
  /** Its code as it is now waits for the owner's approval. */
  readonly pending: boolean;
}

/** Why the current files do not run. */
export interface PluginProblem {
  readonly untrusted: boolean;
  readonly diagnostic: Diagnostic;
}

export function stateOf(
  manifest: PluginManifest,
  enabled: boolean,
  runs: boolean,
  problem: PluginProblem | undefined,
  generations: ReadonlyMap<string, number>,
): PluginState {
  return {
    manifest,
    state: runs ? 'running' : !enabled ? 'disabled' : problem?.untrusted ? 'untrusted' : 'failed',
    generation: generations.get(manifest.id) ?? 0,
    ...(problem && { problem: problem.diagnostic.message }),
    pending: enabled && problem?.untrusted === true,
  };
}

/** Its current code is not trusted. */
export const isUntrusted = (cause: unknown): boolean =>
  cause instanceof PegboardError && cause.code === 'PEG_DENIED';

/** A requirement is not met, while its files are correct. */
const isMissing = (cause: unknown): boolean =>
  cause instanceof PegboardError &&
  (cause.data as { readonly missing?: unknown } | undefined)?.missing !== undefined;

/** A file that keeps its code from being approved. */
function unreadableIn(cause: unknown): string | undefined {
  if (!(cause instanceof PegboardError)) return undefined;
  const { unreadable } = (cause.data ?? {}) as { readonly unreadable?: unknown };
  return typeof unreadable === 'string' ? unreadable : undefined;
}

/** Packages that are also known by another name. */
const otherNames: { readonly [name: string]: string } = { '@sinclair/typebox': 'typebox' };

function hintFor(cause: unknown): { readonly hint?: string } {
  const [, name = ''] = /Cannot find (?:package|module) '([^']+)'/.exec(messageOf(cause)) ?? [];
  const other = Object.entries(otherNames).find(
    ([known]) => name === known || name.startsWith(`${known}/`),
  )?.[1];
  return other === undefined ? {} : { hint: `import from '${other}', which comes with Pegboard` };
}

/** "the plugin dice"; TypeScript of a space is loaded as a plugin, but is not one to those who wrote it. */
export function describePlugin({ id, dynamic, path }: PluginManifest): string {
  if (!dynamic) return `the plugin ${id}`;
  const { space, root, files } = dynamic;
  if (files.length === 0) return `the functions of manifests in spaces/${space}`;
  return `the tools in ${join('spaces', space, 'agent', 'tools', relative(root, path))}`;
}

/** Describes why a plugin did not start. `runsOn`: which version of it runs instead. */
export function toProblem(
  manifest: PluginManifest,
  cause: unknown,
  { runsOn }: { readonly runsOn?: 'approved' | 'last good' },
): PluginProblem {
  const { path, folder, dynamic } = manifest;
  const untrusted = isUntrusted(cause);
  const missing = isMissing(cause);
  const unreadable = unreadableIn(cause);
  const what = runsOn
    ? `the new version of ${describePlugin(manifest)} is not in service`
    : `${describePlugin(manifest)} did not ${dynamic ? 'load' : 'start'}`;
  return {
    untrusted,
    diagnostic: {
      severity: untrusted || missing ? 'warning' : 'error',
      code: untrusted
        ? 'plugin-untrusted'
        : missing
          ? 'missing-requirement'
          : unreadable === undefined
            ? 'plugin-failed'
            : 'unreadable-code',
      message: runsOn
        ? `${what}: ${asSentence(messageOf(cause))} The ${runsOn} version keeps running.`
        : `${what}: ${messageOf(cause)}`,
      path,
      ...(unreadable === undefined ? failurePlace(cause, folder) : { path: unreadable }),
      ...hintFor(cause),
    },
  };
}

/** The position in the plugin's own files where an error was thrown, or undefined when it is elsewhere or unknown. */
function failurePlace(
  cause: unknown,
  folder: string,
): { readonly path: string; readonly line: number } | undefined {
  const { stack } = cause as { readonly stack?: unknown };
  if (typeof stack !== 'string') return undefined;
  // Syntax errors begin with the place, others have it in their frames; both may be URLs, with a generation.
  const plain = stack.replaceAll(`${pathToFileURL(folder).href}/`, `${folder}/`);
  const at = plain.indexOf(`${folder}/`);
  const found = at < 0 ? null : /^(.+?\.[mc]?[jt]sx?)(?:\?v=\d+)?:(\d+)/.exec(plain.slice(at));
  return found ? { path: found[1]!, line: Number(found[2]) } : undefined;
}
