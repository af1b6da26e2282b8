import type { Clock } from '../api/surroundings.ts';
import type { Agent } from '../api/agent.ts';
import type { Ask } from '../api/ask.ts';
import type { ConversationKey, IncomingMessage, TurnContext } from '../api/conversation.ts';
import type { Logger } from '../api/log.ts';
import { openDeadline, untilAborted, withinLimit } from '../core/async/deadline.ts';
import { createProvenance } from './provenance.ts';
import { oneAtATime } from '../core/async/one-at-a-time.ts';

/** One message being answered. Disposing stops its clock. */
export interface Turn extends TurnContext, Disposable {
  /** Answers questions, one at a time and with the deadline paused. Absent: nobody can be asked. */
  readonly ask?: Ask;
}

export interface TurnOptions {
  readonly message: IncomingMessage;
  /** Ends open questions: they are asked again when the turn resumes. */
  readonly suspended?: AbortSignal | undefined;
  readonly conversation: ConversationKey & { readonly id: number };
  readonly agent: Pick<Agent, 'id' | 'runtime'>;
  /** Undefined where there are no embeddings. */
  readonly embed: (text: string) => Promise<Float32Array | undefined>;
  readonly log: Logger;
  readonly clock: Clock;
}

/** How long a turn waits for its embedding. */
const maxWaitMs = 10_000;

/** `signal` aborts with the message's, and with a TimeoutError when the agent's deadline is over. */
export function openTurn({ message, suspended, conversation, agent, embed, log, clock }: TurnOptions): Turn {
  const deadline = openDeadline(agent.runtime.deadline * 1000, message.signal, clock);
  let embedding: Promise<Float32Array | undefined> | undefined;
  const embedOnce = async (): Promise<Float32Array | undefined> => {
    if (message.text.trim() === '') return undefined;
    try {
      return await untilAborted(withinLimit(embed(message.text), maxWaitMs, clock), deadline.signal);
    } catch (cause) {
      log.warn('the message was not embedded: the turn continues without its embedding', { cause });
      return undefined;
    }
  };
  const ask = message.ask && oneAtATime(endWhenSuspended(suspended, message.ask));
  return {
    message,
    conversation,
    agent: agent.id,
    untrusted: createProvenance(message.untrusted),
    signal: deadline.signal,
    embedding: () => (embedding ??= embedOnce()),
    pausedFor: (work) => deadline.pausedFor(work),
    ...(ask && { ask: (question, signal) => deadline.pausedFor(() => ask(question, signal)) }),
    [Symbol.dispose]: () => deadline[Symbol.dispose](),
  };
}

const endWhenSuspended = (suspended: AbortSignal | undefined, ask: Ask): Ask =>
  suspended === undefined ? ask : (question, signal) => ask(question, AbortSignal.any([signal, suspended]));
