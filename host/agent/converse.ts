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
import { cancelled, runLoop } from './loop.ts';
import { tagOf } from './marks.ts';
import { noModelError } from './models/choice/local-models.ts';
import { payFor } from './paid-model.ts';
import { prepareTurn, type OpenedTurn } from './prepare-turn.ts';
import { askToGoOn } from './resume/ask-to-go-on.ts';
import { earlierReply } from './resume/earlier-reply.ts';
import { callsWithoutRound, toRecorded } from './resume/earlier-rounds.ts';
import { openSuspension, type Suspension } from './resume/suspension.ts';
import { uncertainNotice } from './resume/uncertain-notice.ts';
import { toStoredCall } from './parse-call.ts';
import { createCallRunner } from './run-calls.ts';
import type { ConverseServices } from './services.ts';
import { createReplyText } from './reply-text.ts';
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
    using suspension =
      key === undefined ? undefined : openSuspension([closing.signal, suspend], services.clock);
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

/** One message, from the channel to the reply, step by step. */
async function answer(
  incoming: IncomingMessage,
  suspension: Suspension | undefined,
  services: TurnServices,
): Promise<Reply> {
  const { conversations, embed, log } = services;
  const { key, isClaimed = false } = incoming;
  const earlier = key === undefined ? undefined : await conversations.earlierTurn(key, { isClaimed });
  const known = earlier && earlierReply(earlier);
  if (known) return known;
  const hooks = createTurnHookTable(services);
  const { message, reply: hookReply } = await hooks.message(incoming);
  const agent = services.agentFor(message.agent);
  if (hookReply !== undefined) return await storeHookReply(message, agent.id, hookReply, earlier, services);
  const model = await services.models.resolve(agent.brain);
  if (!model) throw noModelError(await services.models.local());

  // The conversation, and the turn that memory hooks work with.
  const conversation = earlier?.conversation ?? (await conversations.getOrCreate(keyOf(message)));
  using turn = openTurn({
    message,
    suspended: suspension?.requested,
    conversation,
    agent,
    embed,
    log,
    clock: services.clock,
  });
  const opened = { turn, message, agent, model, hooks, earlier, suspension };
  return await turnTraces.tracePromise(() => takeTurn(opened, services), {
    turn,
    agent,
    model: model.id,
    parent: message.parent,
  });
}

async function takeTurn(opened: OpenedTurn, services: TurnServices): Promise<Reply> {
  const { conversations, dispatch, snapshot, redact } = services;
  const { turn, message, agent, model, hooks, earlier, suspension } = opened;
  const { conversation } = turn;
  const goesOn = !earlier || (await askToGoOn(turn, earlier, services.timezone).catch(whileOpen(opened)));
  if (earlier && !goesOn) return await leaveTurn(message, earlier, services);
  using running = services.running.begin(turn, earlier ? callsWithoutRound(earlier) : []);
  const say = (event: TurnEvent): void => {
    running.say(event);
    message.onEvent?.(event);
  };

  // What the model is sent.
  const {
    scope,
    tools,
    messages,
    preamble,
    earlier: rounds,
    toolCalls,
  } = await prepareTurn(services, opened);

  // The message is stored before the model sees it; replies are stored before their calls run, calls as they end.
  const known = turn.untrusted.origins;
  await using stored = earlier
    ? await conversations.resumeTurn(earlier)
    : await conversations.openTurn(conversation.id, { ...message, agent: agent.id, known, preamble });
  running.storedAs(stored.messageId);

  // The model and its tools. The channel's marks are removed from its text, and its links show where they lead;
  // every request is paid for.
  const isKnown = await services.linkedBy(turn);
  const replyText = createReplyText({ tag: tagOf(message), isKnown, say });
  const paid = payFor(model, { ...services, agent, turn, homeCap: services.homeCap() });
  const stopped = await runLoop({
    respond: paid.respond,
    contextWindow: model.contextWindow,
    messages,
    tools,
    find(name) {
      const tool = snapshot().find(name);
      return tool && isVisible(tool, scope) ? toWire(tool) : undefined;
    },
    storeReply: async ({ calls, ...reply }) =>
      await stored.storeReply({
        ...reply,
        calls: calls.map((call) => toStoredCall(call, snapshot(), redact)),
      }),
    runCall: createCallRunner({
      dispatch,
      snapshot,
      turn,
      scope,
      confirm: message.confirm,
      say,
      redact,
      stored,
      onRecorded: (call) => toolCalls.push(call),
      suspension,
    }),
    earlier: rounds,
    exhausted: tooManyCrashes(earlier),
    say,
    replyText,
    maxRounds: agent.runtime.maxRounds,
    deadlineSeconds: agent.runtime.deadline,
    cancellation: message.signal,
    signal: suspension ? AbortSignal.any([turn.signal, suspension.requested]) : turn.signal,
  }).catch(async (cause: unknown) => {
    await stored.interrupt(messageOf(cause));
    throw cause;
  });

  if (stopped === cancelled && isSuspended(opened)) {
    await stored.interrupt('Pegboard was stopped');
    throw suspendedTurn();
  }

  // The reply is stored before it is delivered.
  const uncertain = uncertainCalls(earlier);
  const notice = uncertainNotice(uncertain);
  if (notice !== undefined) replyText.add(notice);
  await stored.finish(replyText.text, stopped);
  const reply: Reply = {
    text: replyText.text,
    toolCalls,
    usage: paid.usage,
    conversation,
    untrusted: turn.untrusted.origins,
    messageId: stored.messageId,
    ...(uncertain.length > 0 && { uncertain }),
    ...(stopped !== undefined && { stopped }),
  };

  // Observation and memory continue after the reply.
  services.awaitAtClose(hooks.postTurn(turn, reply));
  return reply;
}

/** Ends an interrupted turn that the person does not want to go on. */
async function leaveTurn(
  message: IncomingMessage,
  earlier: EarlierTurn,
  { conversations }: ConverseServices,
): Promise<Reply> {
  await using stored = await conversations.resumeTurn(earlier);
  const uncertain = uncertainCalls(earlier);
  const text = [left, uncertainNotice(uncertain)].filter((part) => part !== undefined).join('\n\n');
  await stored.finish(text, left);
  message.onEvent?.({ type: 'text', text });
  return {
    text,
    toolCalls: earlier.toolCalls.map(toRecorded),
    usage: { input: 0, output: 0 },
    conversation: earlier.conversation,
    untrusted: earlier.untrusted,
    messageId: stored.messageId,
    ...(uncertain.length > 0 && { uncertain }),
    stopped: left,
  };
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

/** A failure of something that was cut off because the turn ends. */
const whileOpen =
  (opened: OpenedTurn) =>
  (cause: unknown): never => {
    if (opened.suspension?.requested.aborted === true) throw suspendedTurn();
    throw opened.turn.signal.aborted ? cancelledEarly() : cause;
  };

/** Stopped by the end of the host, and not by the sender. */
const isSuspended = ({ suspension, turn }: OpenedTurn): boolean =>
  suspension?.requested.aborted === true && (!turn.signal.aborted || suspension.graceOver.aborted);

const left = 'I left it as it is.';

const uncertainCalls = (earlier: EarlierTurn | undefined): readonly RecordedCall[] =>
  (earlier?.toolCalls ?? []).filter(({ uncertain }) => uncertain).map(toRecorded);

/** Why a turn must not go on: it may be what ends its processes. */
const tooManyCrashes = (earlier: EarlierTurn | undefined): string | undefined =>
  earlier === undefined || earlier.crashes < maxCrashes
    ? undefined
    : `The agent was stopped: Pegboard has ended ${earlier.crashes} times while it worked on this message.`;

const maxCrashes = 5;

const ignore = (): void => {};

const keyOf = ({ source, externalId }: ConversationKey): ConversationKey => ({ source, externalId });

const neverAborted = new AbortController().signal;

const suspendedTurn = (): PegboardError =>
  new PegboardError('PEG_CANCELLED', 'Pegboard was stopped; the turn can continue when it runs again.');

const cancelledEarly = (): PegboardError =>
  new PegboardError('PEG_CANCELLED', 'The message was cancelled before it was answered.');
