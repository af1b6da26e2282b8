import type { IncomingMessage } from '../api/conversation.ts';
import type { JsonObject } from '../api/result.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { nearest } from '../core/documents/nearest.ts';
import { PegboardError } from '../core/errors.ts';
import { matchesTool } from '../core/text/glob.ts';
import { limitsOf } from '../tools/limits.ts';
import { visibleTools } from '../tools/visible-tools.ts';

/**
 * Limits an agent's scope to the tools that its message allows: `context.tools` of a dispatch request or a coordinator,
 * as ids, bare names, modules or patterns. A bare name means the one tool that it resolves to. Throws PEG_USAGE for a name
 * of no tool that the agent has, since without the intended tool it would only seem incapable.
 */
export function narrowScope(scope: Scope, context: JsonObject | undefined, snapshot: Snapshot): Scope {
  const wanted = context?.['tools'];
  if (!Array.isArray(wanted)) return scope;
  const names = wanted.filter((name): name is string => typeof name === 'string');
  const { domain } = visibleTools(snapshot, scope);
  const meantBy = (name: string): readonly RegisteredTool[] => {
    const one = snapshot.find(name)?.id;
    return domain.filter(
      (tool) => tool.id === one || tool.source.module === name || (!one && matchesTool([name], tool)),
    );
  };
  const chosen = names.map(meantBy);
  // What a pattern is for may only be away at present, but nobody can hand over what he doesn't have.
  const missing = names.find(
    (name, at) => chosen[at]!.length === 0 && !(name.includes('*') && !scope.within),
  );
  if (missing !== undefined) throw noSuchTool(missing, domain);
  const allowed = [...new Set(chosen.flat().map(({ id }) => id))];
  return { ...scope, within: [...(scope.within ?? []), { allowed }] };
}

function noSuchTool(name: string, tools: readonly RegisteredTool[]): PegboardError {
  const known = tools.flatMap(({ id, name: bare, source }) => [id, bare, source.module]);
  const [near] = nearest(name, new Set(known));
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return new PegboardError(
    'PEG_USAGE',
    `"context.tools" names "${name}", but the agent has no such tool.${hint}`,
  );
}

/** Limits an agent's scope to what whoever sent the message may do, so that no right is gained by handing work over. */
export function confineScope(scope: Scope, { parent, within = [] }: IncomingMessage): Scope {
  const all = [...(parent ? limitsOf(parent.scope) : []), ...within];
  return all.length === 0 ? scope : { ...scope, within: all };
}
