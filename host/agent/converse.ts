import type {
  Converse,
  ConversationKey,
  IncomingMessage,
  RecordedCall,
  Reply,
  TurnEvent,
} from '../api/conversation.ts';
import { messageOf, PegboardError } from '../core/errors.ts';
import { createKeyedQueue } from '../core/async/keyed-queue.ts';
import { turnTraces } from '../core/traces.ts';
import type { EarlierTurn } from '../store/conversations/earlier-turn.ts';
import type { StoredTurn } from '../store/conversations/turns.ts';
import { isVisible } from '../tools/access.ts';
import { toWire } from '../tools/injection/wire.ts';
import { earlierReply } from './earlier-reply.ts';
import { cancelled, runLoop } from './loop.ts';
import { tagOf } from './marks.ts';
import { noModelError } from './models/choice/local-models.ts';
import { payFor } from './paid-model.ts';
import { prepareTurn, type OpenedTurn } from './prepare-turn.ts';
import { createCallRunner } from './run-calls.ts';
import type { ConverseServices } from './services.ts';
import { createReplyText } from './reply-text.ts';
import { openSuspension, type Suspension } from './suspension.ts';
import { createTurnHookTable } from './turn-hooks.ts';
import { openTurn } from './turn.ts';

/** Disposing cancels the running turns, and waits for them and for their work after the reply. */
export interface Conversing extends AsyncDisposable {
  readonly converse: Converse;
}

/** Messages of one conversation are answered one after another, those of different conversations in parallel. */
export function createConverse(services: ConverseServices): Conversing {
  const queue = createKeyedQueue();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const awaitAtClose = (work: Promise<unknown>): void => {
    const ended = work.then(ignore, ignore).finally(() => running.delete(ended));
    running.add(ended);
  };
  const turnServices: TurnServices = { ...services, awaitAtClose };

  const converse: Converse = async (incoming) => {
    const { source, externalId, key, suspend = neverAborted } = incoming;
    using suspension = key === undefined ? undefined : openSuspension([closing.signal, suspend]);
    const signal = AbortSignal.any([
      incoming.signal ?? neverAborted,
      suspension?.graceOver ?? closing.signal,
    ]);
    const waiting = AbortSignal.any([signal, suspension?.requested ?? neverAborted]);
    try {
      const message = { ...incoming, signal };
      const work = (): Promise<Reply> => answer(message, suspension, turnServices);
      return await queue.run(JSON.stringify([source, externalId]), work, waiting);
    } catch (cause) {
      throw waiting.aborted && cause === waiting.reason ? cancelledEarly() : cause;
    }
  };

  return {
    converse(message) {
      const reply = converse(message);
      awaitAtClose(reply);
      return reply;
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      while (running.size > 0) await Promise.all(running);
    },
  };
}

interface TurnServices extends ConverseServices {
  readonly awaitAtClose: (work: Promise<unknown>) => void;
}

/** One message, from the channel to the reply: the steps of Construct's processMessage, in order. */
async function answer(
  incoming: IncomingMessage,
  suspension: Suspension | undefined,
  services: TurnServices,
): Promise<Reply> {
  const { conversations, embed, log } = services;
  const earlier = incoming.key === undefined ? undefined : await conversations.earlierTurn(incoming.key);
  const known = earlier && earlierReply(earlier);
  if (known) return known;
  const hooks = createTurnHookTable(services.turnHooks(), log);
  const { message, reply: hookReply } = await hooks.message(incoming);
  const agent = services.agentFor(message.agent);
  if (hookReply !== undefined) return await storeHookReply(message, agent.id, hookReply, earlier, services);
  const model = await services.models.resolve(agent.brain);
  if (!model) throw noModelError(await services.models.local());

  // 1, 2. The conversation, and the turn that memory hooks work with.
  const conversation = earlier?.conversation ?? (await conversations.getOrCreate(keyOf(message)));
  using turn = openTurn({ message, suspended: suspension?.requested, conversation, agent, embed, log });
  const opened = { turn, message, agent, model, hooks, earlier, suspension };
  return await turnTraces.tracePromise(() => takeTurn(opened, services), {
    turn,
    agent,
    model: model.id,
    parent: message.parent,
  });
}

async function takeTurn(opened: OpenedTurn, services: TurnServices): Promise<Reply> {
  const { conversations, dispatch, snapshot } = services;
  const { turn, message, agent, model, hooks, earlier, suspension } = opened;
  const { conversation } = turn;
  using running = services.running.begin(turn, earlier?.toolCalls ?? []);
  const say = (event: TurnEvent): void => {
    running.say(event);
    message.onEvent?.(event);
  };

  // 3 to 9. What the model is sent.
  const { scope, tools, messages, toolCalls } = await prepareTurn(services, opened);

  // 10, 11. The message is stored before the model sees it; calls are stored as they end.
  const known = turn.untrusted.origins;
  await using stored = earlier
    ? await conversations.resumeTurn(earlier)
    : await conversations.openTurn(conversation.id, { ...message, agent: agent.id, known });
  running.storedAs(stored.messageId);
  const record = async (call: RecordedCall, begun: number | undefined): Promise<void> => {
    toolCalls.push(call);
    await stored.recordCall(call, turn.untrusted.origins, begun);
  };

  // 12, 13, 15. The model and its tools. The channel's marks are removed from its text; every request is paid for.
  const replyText = createReplyText(tagOf(message), say);
  const paid = payFor(model, { agent, turn, spending: services.spending, homeCap: services.homeCap() });
  const stopped = await runLoop({
    respond: paid.respond,
    contextWindow: model.contextWindow,
    messages,
    tools,
    find(name) {
      const tool = snapshot().find(name);
      return tool && isVisible(tool, scope) ? toWire(tool) : undefined;
    },
    runCalls: createCallRunner({
      dispatch,
      snapshot,
      turn,
      scope,
      confirm: message.confirm,
      say,
      redact: services.redact,
      begin: (call) => stored.beginCall(call),
      record,
      isSuspended: () => suspension?.requested.aborted === true,
    }),
    replyText,
    maxRounds: agent.runtime.maxRounds,
    deadlineSeconds: agent.runtime.deadline,
    signal: suspension ? AbortSignal.any([turn.signal, suspension.requested]) : turn.signal,
  }).catch(async (cause: unknown) => {
    await stored.interrupt(messageOf(cause));
    throw cause;
  });

  if (stopped === cancelled && isSuspended(opened)) {
    await stored.interrupt('Pegboard was stopped');
    throw suspendedTurn();
  }

  // 14. The reply is stored before it is delivered.
  await stored.finish(replyText.text, stopped);
  const reply: Reply = {
    text: replyText.text,
    toolCalls,
    usage: paid.usage,
    conversation,
    untrusted: turn.untrusted.origins,
    messageId: stored.messageId,
    ...(stopped !== undefined && { stopped }),
  };

  // 16. Observation and memory continue after the reply.
  services.awaitAtClose(hooks.postTurn(turn, reply));
  return reply;
}

/** A message hook has the answer: a command of the channel, a pairing code. */
async function storeHookReply(
  message: IncomingMessage,
  agent: string,
  text: string,
  earlier: EarlierTurn | undefined,
  { conversations }: ConverseServices,
): Promise<Reply> {
  const conversation = earlier?.conversation ?? (await conversations.getOrCreate(keyOf(message)));
  await using stored: StoredTurn = earlier
    ? await conversations.resumeTurn(earlier)
    : await conversations.openTurn(conversation.id, { ...message, agent });
  await stored.finish(text);
  message.onEvent?.({ type: 'text', text });
  const usage = { input: 0, output: 0 };
  return { text, toolCalls: [], usage, conversation, untrusted: [], messageId: stored.messageId };
}

/** Stopped by the end of the host, and not by the sender. */
const isSuspended = ({ suspension, turn }: OpenedTurn): boolean =>
  suspension?.requested.aborted === true && (!turn.signal.aborted || suspension.graceOver.aborted);

const ignore = (): void => {};

const keyOf = ({ source, externalId }: ConversationKey): ConversationKey => ({ source, externalId });

const neverAborted = new AbortController().signal;

const suspendedTurn = (): PegboardError =>
  new PegboardError('PEG_CANCELLED', 'Pegboard was stopped; the turn can continue when it runs again.');

const cancelledEarly = (): PegboardError =>
  new PegboardError('PEG_CANCELLED', 'The message was cancelled before it was answered.');
