import {
  parseJson,
  toJson,
  type Chat,
  type JsonObject,
  type Origin as TextOrigin,
  type Scope,
  type ToolCall,
} from 'pegboard';
import { chatOfCall } from 'pegboard/channels';

/** For whom something goes on behind a call. */
export interface StoredOrigin {
  /** The acting agent; undefined: the home's default agent. */
  readonly agent: string | undefined;
  /** Whoever may see it beside the owner. */
  readonly creator: string;
  /** The chat for reports. Undefined: no reports. */
  readonly chat: Chat | undefined;
  /** The origins of untrusted content that the requesting turn had read. */
  readonly untrusted: readonly TextOrigin[];
}

/** For the context of a turn that goes on behind a chat: what its tools do in turn, they do for that chat. */
export const backgroundContext = (chat: Chat): JsonObject => ({ background: chat });

export function originOf({ scope, caller, turn }: Pick<ToolCall, 'scope' | 'caller' | 'turn'>): StoredOrigin {
  return {
    agent: scope.agent,
    creator: creatorOf({ scope, caller }),
    chat: chatOfCall({ caller, turn }),
    untrusted: turn?.untrusted.origins ?? [],
  };
}

/** As a column of a table keeps it. */
export const storedOrigins = (origins: readonly TextOrigin[]): string | null =>
  origins.length === 0 ? null : toJson(origins);

export const readOrigins = (stored: string | null): readonly TextOrigin[] =>
  stored === null ? [] : (parseJson(stored) as readonly TextOrigin[]);

function creatorOf({ scope, caller }: { readonly scope: Scope; readonly caller: string }): string {
  return scope.agent ?? caller;
}

/** The owner sees all, an agent or a client what is its own. */
export function maySee(
  call: { readonly scope: Scope; readonly caller: string },
  { creator }: { readonly creator: string },
): boolean {
  return call.scope.identity === 'host' || creator === creatorOf(call);
}
