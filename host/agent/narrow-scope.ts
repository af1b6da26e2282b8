import type { IncomingMessage } from '../api/conversation.ts';
import type { JsonObject } from '../api/result.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import { nearest } from '../core/documents/nearest.ts';
import { PegboardError } from '../core/errors.ts';
import { matchesTool } from '../core/text/glob.ts';
import { visibleTools } from '../tools/visible-tools.ts';

/**
 * Limits an agent's scope to the tools that its message allows: `context.tools` of a dispatch request or a coordinator,
 * as ids, bare names, modules or patterns. A bare name means the one tool that it resolves to. Throws PEG_USAGE for an
 * unknown name, since an agent without the intended tool would only seem incapable.
 */
export function narrowScope(scope: Scope, context: JsonObject | undefined, snapshot: Snapshot): Scope {
  const wanted = context?.['tools'];
  if (!Array.isArray(wanted)) return scope;
  const names = wanted.filter((name): name is string => typeof name === 'string');
  const meant = new Set(names.map((name) => snapshot.find(name)?.id ?? name));
  const patterns = [...meant].filter((name) => !snapshot.tools.has(name));
  checkNames(patterns, snapshot);
  const allowed = visibleTools(snapshot, scope)
    .domain.filter(
      (tool) => meant.has(tool.id) || meant.has(tool.source.module) || matchesTool(patterns, tool),
    )
    .map(({ id }) => id);
  return { ...scope, access: { ...scope.access, allowed } };
}

function checkNames(names: readonly string[], snapshot: Snapshot): void {
  const tools = [...snapshot.tools.values()];
  const modules = new Set(snapshot.sources.map(({ module }) => module));
  const unknown = names.find(
    (name) => !modules.has(name) && !name.includes('*') && !tools.some((tool) => matchesTool([name], tool)),
  );
  if (unknown === undefined) return;
  const [near] = nearest(unknown, [...tools.flatMap(({ id, name }) => [id, name]), ...modules]);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new PegboardError(
    'PEG_USAGE',
    `"context.tools" names "${unknown}", but there is no such tool.${hint}`,
  );
}

/** Applies the message's restrictions to the agent's scope, so that delegating to an agent can't bypass them. */
export function confineScope(scope: Scope, { parent, within = [] }: IncomingMessage): Scope {
  const all = [...(parent?.scope.within ?? []), ...within];
  return all.length === 0 ? scope : { ...scope, within: all };
}
