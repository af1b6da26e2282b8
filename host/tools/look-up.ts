import { basename } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { admitsModule, isVisible } from './access.ts';
import { isConfined } from './limits.ts';

/** The tool with this name, in any form. Throws the errors of `notFound` and `invisible`. */
export function lookUp(snapshot: Snapshot, name: string, scope: Scope): RegisteredTool {
  const tool = snapshot.find(name);
  if (!tool) throw notFound(snapshot, name, scope);
  if (!isVisible(tool, scope)) throw invisible(snapshot, name, tool, scope);
  return tool;
}

/** PEG_TOOL_NOT_FOUND with similar names that this caller may see, or the reason why it is not listed. */
export function notFound(snapshot: Snapshot, name: string, scope: Scope): Error {
  const missing = whyMissing(snapshot, name, scope);
  if (missing) return missing;
  const near = snapshot.suggest(name).filter((id) => isVisible(snapshot.tools.get(id)!, scope));
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  // A confined scope must not learn what exists outside it.
  const doubt = isConfined(scope) ? ', or it is not available to this caller' : '';
  return new PegboardError('PEG_TOOL_NOT_FOUND', `There is no tool "${name}"${doubt}.${hint}`, {
    data: { suggestions: near },
  });
}

/** PEG_TOOL_UNAVAILABLE; for a confined scope the same error as for an unknown name. */
export function invisible(snapshot: Snapshot, name: string, { id }: RegisteredTool, scope: Scope): Error {
  if (isConfined(scope)) return notFound(snapshot, name, scope);
  return new PegboardError('PEG_TOOL_UNAVAILABLE', `${id} is not available to this caller.`);
}

/** Why a tool is not listed although it may exist, as its file, its source or what should provide it says. */
export function whyMissing(snapshot: Snapshot, name: string, scope: Scope): Error | undefined {
  const { sources, absent } = snapshot;
  const plain = name.replace(/^mcp__(?:pegboard__)?/, '');
  const nameIn = (module: string): string | undefined => {
    // The module of a server may begin with mcp__ itself.
    const text = name.startsWith(module) ? name : plain;
    const joint = ['.', '__'].find((one) => text.startsWith(`${module}${one}`));
    return joint === undefined ? undefined : text.slice(module.length + joint.length);
  };
  for (const source of sources) {
    if (!source.whyMissing || !admitsModule(source.module, scope)) continue;
    const tool = nameIn(source.module);
    const why = tool === undefined ? undefined : source.whyMissing(tool);
    if (why) return why;
  }
  const broken = brokenFile(snapshot, scope, (module) => nameIn(module) ?? plain);
  if (broken) return broken;
  return absent()
    .filter(({ module }) => admitsModule(module, scope))
    .find(({ module, names }) => {
      const tool = nameIn(module);
      if (names === undefined) return tool !== undefined;
      return names.includes(tool ?? plain);
    })
    ?.why(name);
}

/** The first error of a file that is named like the tool. */
function brokenFile(snapshot: Snapshot, scope: Scope, toolIn: (module: string) => string): Error | undefined {
  // A confined scope must not learn where files are.
  if (isConfined(scope)) return undefined;
  for (const source of snapshot.sources.filter(({ module }) => admitsModule(module, scope))) {
    const tool = toolIn(source.module);
    const found = snapshot
      .diagnosticsOf(source)
      .find(({ severity, path }) => severity === 'error' && path !== undefined && nameOfFile(path) === tool);
    if (found) return new PegboardError('PEG_TOOL_NOT_FOUND', `${tool} is broken. ${told(found)}`);
  }
  return undefined;
}

/** "greet" for greet.md and greet.script.ts. */
const nameOfFile = (path: string): string => basename(path).split('.', 1)[0]!;

function told({ path, line, column, message, hint }: Diagnostic): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(':');
  return `${place}: ${message}.${hint === undefined ? '' : ` Hint: ${hint}.`}`;
}
