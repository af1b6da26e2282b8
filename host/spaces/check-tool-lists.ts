import type { Diagnostic } from '../api/diagnostic.ts';
import type { Snapshot } from '../api/source.ts';
import { pointerTo } from '../core/documents/pointer.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import { matchesTool } from '../core/text/glob.ts';
import { nearest } from '../core/documents/nearest.ts';
import type { KnownModules } from './known-modules.ts';
import type { WrittenAgent } from '../formats/agent.ts';

/** By the key of agent.yaml: what an entry that names no tool fails to do. */
const lists = { blockedTools: 'blocks nothing', allow_untrusted: 'allows nothing' } as const;

/**
 * Entries of the lists of tools of an agent, or of a space's manifest, that mean no tool, and an `allow_untrusted` that allows everything. A pattern may
 * well wait for tools to come, but a name that is misspelt leaves the tool open that was meant to be blocked.
 */
export function checkToolLists(
  document: SourceDocument,
  snapshot: Snapshot,
  modules: KnownModules,
): readonly Diagnostic[] {
  const written = (document.value ?? {}) as WrittenAgent;
  const keys = Object.keys(lists) as (keyof typeof lists)[];
  return keys.flatMap((key) =>
    (written[key] ?? []).flatMap((pattern, index): Diagnostic[] => {
      const report = (code: string, message: string, hint?: string): Diagnostic => ({
        severity: 'warning',
        code,
        message: `${key}: ${message}`,
        path: document.path,
        ...document.locate(pointerTo(key, index)),
        ...(hint !== undefined && { hint }),
      });
      if (key === 'allow_untrusted' && allowsAll(pattern))
        return [
          report(
            'allows-everything',
            `"${pattern}" lets the authors of untrusted content use every tool`,
            'name the tools that it needs',
          ),
        ];
      if (!isUnknown(pattern, snapshot, modules)) return [];
      const meant = nearTo(pattern, snapshot, modules);
      // A server that was never connected may have it.
      const isSure = [...modules.values()].every(({ actions }) => actions !== undefined);
      if (meant === undefined && !isSure && !pattern.includes('.')) return [];
      return [
        report(
          'unknown-tool',
          `"${pattern}" ${lists[key]}: this home has no such tool at the moment`,
          meant === undefined ? undefined : `${pattern} → ${meant}?`,
        ),
      ];
    }),
  );
}

/** Whether a list allows all tools. */
export const allowsAll = (pattern: string): boolean => /^[*.]+$/.test(pattern);

const isUnknown = (pattern: string, { tools }: Snapshot, modules: KnownModules): boolean =>
  ![...tools.values()].some((tool) => matchesTool([pattern], tool)) && !mayComeTrue(pattern, modules);

/** Of a module whose tools aren't known yet, or any tool that is called like this. */
function mayComeTrue(pattern: string, modules: KnownModules): boolean {
  const { module, rest } = split(pattern);
  const known = modules.get(module);
  if (known && (rest === undefined || known.actions === undefined)) return true;
  return pattern.includes('*') && (known !== undefined || rest === undefined || module.includes('*'));
}

function nearTo(pattern: string, { tools }: Snapshot, modules: KnownModules): string | undefined {
  const { module, rest } = split(pattern);
  if (rest === undefined) {
    const names = [...tools.values()].map(({ name }) => name);
    return nearest(pattern, new Set([...names, ...modules.keys()]))[0];
  }
  if (modules.has(module)) return nearest(pattern, tools.keys())[0];
  const [near] = nearest(module, modules.keys());
  return near === undefined ? nearest(pattern, tools.keys())[0] : `${near}.${rest}`;
}

/** "filesystem.read" → filesystem, read. A name without a dot may be a tool's or a module's. */
function split(pattern: string): { readonly module: string; readonly rest: string | undefined } {
  const dot = pattern.indexOf('.');
  return dot < 0
    ? { module: pattern, rest: undefined }
    : { module: pattern.slice(0, dot), rest: pattern.slice(dot + 1) };
}
