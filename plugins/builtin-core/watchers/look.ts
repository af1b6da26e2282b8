import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseJson,
  PegboardError,
  textOf,
  toJson,
  untrustedOrigin,
  type Dispatch,
  type FileOrigins,
  type Origin,
  type Scope,
  type ToolResult,
} from 'pegboard';
import { splitPattern } from '../filesystem/glob.ts';
import { toPathMatcher } from '../filesystem/search/glob-pattern.ts';
import { originOf } from '../filesystem/access/origin.ts';
import { openPath } from '../filesystem/access/open-path.ts';
import type { Roots } from '../filesystem/access/roots.ts';
import { searchFolder } from '../filesystem/search/search-folder.ts';
import { jsonAt } from './json-path.ts';
import type { Target } from './tables.ts';

/** The current state of a target. */
export interface Observed {
  /** The state as text. */
  readonly seen: string;
  /** Whether nothing has changed since an earlier `seen`. */
  isSame(before: string): boolean;
  /** Describes the difference to an earlier `seen`; without one, the current state. */
  describe(before: string | null): string;
  /** The origin of its content, unless that is trusted. */
  readonly untrusted?: Origin;
}

export interface LookServices {
  readonly roots: Roots;
  readonly origins: FileOrigins;
  readonly dispatch: Dispatch;
  readonly scope: Scope;
  readonly caller: string;
  readonly signal: AbortSignal;
}

const maxFiles = 10_000;
const maxNamedFiles = 20;
/** Maximum characters of a result that are kept to be shown. */
const maxShownLength = 2_000;

/** Observes a target. Throws when it can't be read. */
export async function look(target: Target, services: LookServices): Promise<Observed> {
  return target.kind === 'files'
    ? await lookAtFiles(target.pattern, services)
    : await lookAtResult(target, services);
}

async function lookAtFiles(pattern: string, { roots, origins, signal }: LookServices): Promise<Observed> {
  const { prefix, rest } = splitPattern(pattern);
  const files: { [path: string]: string } = {};
  let untrusted: Origin | undefined;
  if (isThere(roots, prefix)) {
    const matches = toPathMatcher(rest);
    using folder = searchFolder(roots, prefix === '' ? '.' : prefix);
    for await (const entry of folder.entries(signal)) {
      if (entry.kind !== 'file' || entry.ignored || !matches(entry.path)) continue;
      const stats = lstatSync(entry.at, { throwIfNoEntry: false });
      if (stats) files[folder.nameOf(entry.path)] = `${stats.size}:${stats.mtimeMs}`;
      // The file's name may also come from an untrusted author.
      untrusted ??= originOf({ roots, origins }, join(folder.path, entry.path));
      if (Object.keys(files).length > maxFiles)
        throw new PegboardError('PEG_LIMIT', `${pattern} matches more than ${maxFiles} files. Narrow it.`);
    }
  }
  const seen = toJson(files);
  return {
    ...(untrusted && { untrusted }),
    seen,
    isSame: (before) => before === seen,
    describe: (before) =>
      before === null ? countOf(files) : difference(parseJson(before) as typeof files, files),
  };
}

function isThere(roots: Roots, prefix: string): boolean {
  using reached = openPath(roots, prefix === '' ? '.' : prefix);
  return reached.stats?.isDirectory() === true;
}

type Files = { readonly [path: string]: string };

function countOf(files: Files): string {
  const { length } = Object.keys(files);
  return length === 1 ? '1 file' : `${length} files`;
}

function difference(before: Files, now: Files): string {
  const groups = {
    new: Object.keys(now).filter((path) => !Object.hasOwn(before, path)),
    changed: Object.keys(now).filter((path) => Object.hasOwn(before, path) && before[path] !== now[path]),
    gone: Object.keys(before).filter((path) => !Object.hasOwn(now, path)),
  };
  const lines = Object.entries(groups)
    .filter(([, paths]) => paths.length > 0)
    .map(([what, paths]) => `${what}: ${named(paths)}`);
  return lines.join('\n') || 'no difference';
}

function named(paths: readonly string[]): string {
  const left = paths.length - maxNamedFiles;
  return `${paths.slice(0, maxNamedFiles).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

async function lookAtResult(
  { tool, args, path }: Extract<Target, { kind: 'tool' }>,
  { dispatch, scope, caller, signal }: LookServices,
): Promise<Observed> {
  const result = await dispatch({ name: tool, args, scope, caller, signal });
  const untrusted = untrustedOrigin(result);
  if (result.error) throw new PegboardError('PEG_TOOL_FAILED', result.error.message);
  const part = partOf(result, path);
  // The compared text may differ from the text for people.
  const text = (path === undefined && textOf(result)) || part;
  // What was seen before a tool had structured content was its text.
  const same = new Set([part, ...(path === undefined ? [textOf(result)] : [])].map(hashOf));
  const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
  return {
    ...(untrusted && { untrusted }),
    seen: toJson({ hash: hashOf(part), shown }),
    isSame: (before) => same.has((parseJson(before) as { readonly hash: string }).hash),
    describe(before) {
      if (before === null) return shown;
      const { shown: was } = parseJson(before) as { readonly shown: string };
      return `now:\n${shown}\nbefore:\n${was}`;
    },
  };
}

const hashOf = (part: string): string => createHash('sha256').update(part).digest('base64url');

/** The structured result if there is one, or else the text. A path may also lead into JSON that is the text. */
function partOf(result: ToolResult, path: string | undefined): string {
  const { structured } = result;
  const text = textOf(result);
  if (path === undefined) return structured === undefined ? text : toJson(withoutHashed(structured));
  const part = structured === undefined ? undefined : jsonAt(structured, path);
  if (part !== undefined) return part;
  const inText = parsed(text);
  if (inText === undefined && structured === undefined)
    throw new PegboardError('PEG_TOOL_FAILED', 'json_path was given, but the result is not JSON.');
  return (inText && jsonAt(inText.value, path)) ?? 'nothing';
}

/** Without the content whose hash is in it. */
function withoutHashed(structured: unknown): unknown {
  const { content: _, truncated: __, ...rest } = structured as { readonly [key: string]: unknown };
  return typeof rest['sha256'] === 'string' ? rest : structured;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}
