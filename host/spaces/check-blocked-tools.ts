import type { Diagnostic } from '../api/diagnostic.ts';
import type { Snapshot } from '../api/source.ts';
import { pointerTo } from '../core/documents/pointer.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import { matchesTool } from '../core/glob.ts';
import { nearest } from '../core/documents/nearest.ts';
import type { KnownModules } from './known-modules.ts';
import type { WrittenAgent } from './written-agent.ts';

/**
 * Entries of an agent's `blockedTools` that block nothing. A pattern may well wait for tools to come, but a name that is
 * misspelt leaves the tool open that was meant.
 */
export function checkBlockedTools(
  document: SourceDocument,
  snapshot: Snapshot,
  modules: KnownModules,
): readonly Diagnostic[] {
  const { blockedTools = [] } = (document.value ?? {}) as WrittenAgent;
  const tools = [...snapshot.tools.values()];
  return blockedTools.flatMap((pattern, index): Diagnostic[] => {
    if (tools.some((tool) => matchesTool([pattern], tool)) || mayComeTrue(pattern, modules)) return [];
    const meant = nearTo(pattern, snapshot, modules);
    // A server that was never connected may have it.
    const isSure = [...modules.values()].every(({ actions }) => actions !== undefined);
    if (meant === undefined && !isSure && !pattern.includes('.')) return [];
    return [
      {
        severity: 'warning',
        code: 'unknown-tool',
        message: `blockedTools: "${pattern}" blocks nothing: no tool of this home is called so just now`,
        path: document.path,
        ...document.locate(pointerTo('blockedTools', index)),
        ...(meant !== undefined && { hint: `${pattern} → ${meant}?` }),
      },
    ];
  });
}

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
