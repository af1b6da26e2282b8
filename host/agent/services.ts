import type { Clock } from '../api/surroundings.ts';
import type { Agent, Identity, Skill } from '../api/agent.ts';
import type { TurnContext } from '../api/conversation.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Injection } from '../api/injection.ts';
import type { Logger } from '../api/log.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import type { Conversations } from '../store/conversations/conversations.ts';
import type { Spending } from '../store/usage/spending.ts';
import type { IsKnownAddress } from '../core/foreign/open-links.ts';
import type { Models } from './models/create-models.ts';
import type { RunningTurns } from './running-turns.ts';
import type { TurnHookOwner } from './turn-hooks.ts';

/** What the host provides to turns. */
export interface ConverseServices {
  /** Without a name the home's default agent. Throws PEG_USAGE for an unknown one. */
  readonly agentFor: (name: string | undefined) => Agent;
  readonly identityOf: (agent: Agent) => Identity;
  /** The skills that fit the message. */
  readonly skillsFor: (agent: Agent, turn: TurnContext) => Promise<readonly Skill[]>;
  readonly scopeFor: (agent: Agent) => Scope;
  /** What the model is shown of the tools of this scope. */
  readonly inject: (agent: Agent, request: InjectRequest) => Promise<Injection>;
  readonly models: Pick<Models, 'resolve' | 'local' | 'takeUnpriced'>;
  readonly conversations: Conversations;
  /** Each turn is noted here while it runs. */
  readonly running: RunningTurns;
  readonly spending: Spending;
  /** US dollars that the whole home may spend in a day; undefined: no cap. */
  readonly homeCap: () => number | undefined;
  readonly dispatch: Dispatch;
  /** Tells which addresses may stand behind other words in the turn's answer. */
  readonly linkedBy: (turn: TurnContext) => Promise<IsKnownAddress>;
  /** Removes secrets from what is recorded. */
  readonly redact: <T>(value: T) => T;
  readonly snapshot: () => Snapshot;
  readonly turnHooks: () => readonly TurnHookOwner[];
  /** Undefined where there are no embeddings. */
  readonly embed: (text: string) => Promise<Float32Array | undefined>;
  /** What the user has undone or redone since the last turn of the conversation, as sentences. Returned once. */
  readonly takeUndone: (conversation: number) => Promise<readonly string[]>;
  /** Finished jobs that have not been reported to the conversation yet, one line each. Returned once. */
  readonly takeFinishedJobs: (conversation: number) => Promise<readonly string[]>;
  /** IANA name. */
  readonly timezone: string;
  readonly clock: Clock;
  readonly development: boolean;
  readonly log: Logger;
}

interface InjectRequest {
  readonly scope: Scope;
  readonly contextWindow: number;
  /** Maximum number of tools in a model request; undefined: any number. */
  readonly maxTools: number | undefined;
  /** Ids that the last turns used, in order of first use. */
  readonly kept: readonly string[];
  readonly turn: TurnContext;
}
