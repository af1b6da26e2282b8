import type { CommandPlace } from '../../api/channels/chat-commands.ts';
import type { ConversationKey } from '../../api/conversation.ts';
import type { Model, ModelMessage } from '../../api/model.ts';
import { noModelError } from '../models/choice/local-models.ts';
import { payFor } from '../paid-model.ts';
import { openTurn, type Turn } from '../turn.ts';
import type { CommandServices } from './command.ts';

/** A turn without a message, for what a command reads of a conversation and asks the model. Dispose it. */
export function openCommandTurn(
  { key, agent: name, signal, workplace }: CommandPlace,
  conversation: ConversationKey & { readonly id: number },
  { agentFor, embed, log, clock }: CommandServices,
  text = '',
): Turn {
  const agent = agentFor(name);
  const message = {
    ...key,
    text,
    agent: agent.id,
    ...(signal && { signal }),
    ...(workplace && { workplace }),
  };
  return openTurn({ message, conversation, agent, embed, log, clock });
}

/** Throws PEG_NO_MODEL where no model is connected. */
export async function modelFor(place: CommandPlace, services: CommandServices): Promise<Model> {
  const model = await services.models.resolve(services.agentFor(place.agent).brain);
  if (!model) throw noModelError(await services.models.local());
  return model;
}

/** What the agent's model writes, without tools. Paid for like a turn. */
export async function ask(
  model: Model,
  messages: readonly ModelMessage[],
  turn: Turn,
  { agentFor, spending, homeCap, models }: CommandServices,
): Promise<string> {
  const agent = agentFor(turn.agent);
  const paid = payFor(model, { agent, turn, spending, homeCap: homeCap(), models });
  const { text } = await paid.respond({ messages, tools: [], signal: turn.signal }, () => {});
  return text.trim();
}
