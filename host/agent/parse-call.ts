import type { ModelToolCall } from '../api/model.ts';
import type { Snapshot } from '../api/source.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { PegboardError } from '../core/errors.ts';
import type { StoredModelCall } from '../store/conversations/stored-reply.ts';
import { mayHoldSecrets, shownArguments } from '../tools/shown-arguments.ts';
import { incomplete, readArguments, unreadable } from './read-arguments.ts';

/** The arguments of a call, or its text with what is wrong with it. */
export function parseCall(
  { name, arguments: text, problem }: ModelToolCall,
  snapshot: Snapshot,
): { readonly args: unknown; readonly problem?: PegboardError } {
  try {
    if (problem !== undefined) throw incomplete(problem);
    return { args: readArguments(text) };
  } catch (cause) {
    const tool = snapshot.find(name);
    const { code, message } = tool && mayHoldSecrets(tool) ? unreadable() : (cause as PegboardError);
    const explained = new PegboardError(code, message, tool && { data: { schema: tool.parameters } });
    return { args: text, problem: explained };
  }
}

/** A call as it is stored before it runs: as the model made it, unless its arguments hold a secret. */
export function toStoredCall(
  call: ModelToolCall,
  snapshot: Snapshot,
  redact: <T>(value: T) => T,
): StoredModelCall {
  const { args } = parseCall(call, snapshot);
  const tool = snapshot.find(call.name);
  const shown = redact(tool ? shownArguments(tool, args, (other) => snapshot.find(other)) : args);
  const json = toJson(shown) ?? '{}';
  return json === toJson(args) ? call : { ...call, arguments: json, isWithheld: true };
}
