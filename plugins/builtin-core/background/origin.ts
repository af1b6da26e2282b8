import {
  parseJson,
  toJson,
  type Chat,
  type JsonObject,
  type Limits,
  type Origin as TextOrigin,
  type Scope,
  type ToolCall,
} from 'pegboard';
import { chatOfCall } from 'pegboard/channels';

/** On whose behalf deferred work runs. */
export interface StoredOrigin {
  /** The acting agent; undefined: the home's default agent. */
  readonly agent: string | undefined;
  /** Who may see it, besides the owner. */
  readonly creator: string;
  /** The chat for reports. Undefined: no reports. */
  readonly chat: Chat | undefined;
  /** What the request was limited to beside the rights of its agent. */
  readonly limits: readonly Limits[] | undefined;
  /** The origins of untrusted content that the requesting turn had read. */
  readonly untrusted: readonly TextOrigin[];
}

/** The context of a turn that runs for a chat in the background: its tools act for that chat too. */
export const backgroundContext = (chat: Chat): JsonObject => ({ background: chat });

export function originOf({ scope, caller, turn }: Pick<ToolCall, 'scope' | 'caller' | 'turn'>): StoredOrigin {
  return {
    agent: scope.agent,
    creator: creatorOf({ scope, caller }),
    chat: chatOfCall({ caller, turn }),
    limits: scope.within,
    untrusted: turn?.untrusted.origins ?? [],
  };
}

/** The text of a database column. */
export const storedOrigins = (origins: readonly TextOrigin[]): string | null =>
  origins.length === 0 ? null : toJson(origins);

export const readOrigins = (stored: string | null): readonly TextOrigin[] =>
  stored === null ? [] : (parseJson(stored) as readonly TextOrigin[]);

function creatorOf({ scope, caller }: { readonly scope: Scope; readonly caller: string }): string {
  return scope.agent ?? caller;
}

/** The owner sees everything; an agent or a client sees only its own. */
export function maySee(
  call: { readonly scope: Scope; readonly caller: string },
  { creator }: { readonly creator: string },
): boolean {
  return call.scope.identity === 'host' || creator === creatorOf(call);
}
