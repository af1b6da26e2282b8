import type { Agent } from '../api/agent.ts';
import type { Converse, ConversationKey, IncomingMessage, Reply } from '../api/conversation.ts';
import type { Model } from '../api/model.ts';
import { messageOf, PegboardError } from '../core/errors.ts';
import { createKeyedQueue } from '../core/async/keyed-queue.ts';
import { turnTraces } from '../core/traces.ts';
import type { EarlierTurn } from '../store/conversations/earlier-turn.ts';
import type { StoredTurn } from '../store/conversations/turns.ts';
import { isVisible } from '../tools/access.ts';
import { toWire } from '../tools/injection/wire.ts';
import { loadHistory, toCallMessages, toModelMessages, toolsUsedIn, userContent } from './history.ts';
import { replyOf } from './earlier-reply.ts';
import { cancelled, runLoop } from './loop.ts';
import { noModelError } from './models/choice/local-models.ts';
import { confined, narrowScope } from './narrow-scope.ts';
import { payFor } from './paid-model.ts';
import { writePreamble } from './preamble.ts';
import { writeSystemPrompt } from './prompt.ts';
import { createCallRunner } from './run-calls.ts';
import type { ConverseServices } from './services.ts';
import { createReplyText } from './reply-text.ts';
import { openSuspension, type Suspension } from './suspension.ts';
import { createTurnHookTable, type TurnHookTable } from './turn-hooks.ts';
import { openTurn, type Turn } from './turn.ts';

/** Disposing cancels the turns that run, and awaits them and what they do after their reply. */
export interface Conversing extends AsyncDisposable {
  readonly converse: Converse;
}

/** Messages of one conversation are answered one after the other, those of different ones side by side. */
export function createConverse(services: ConverseServices): Conversing {
  const { conversations, dispatch, snapshot, log } = services;
  const queue = createKeyedQueue();
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const awaitedAtClose = (work: Promise<unknown>): void => {
    const ended = work.then(ignore, ignore).finally(() => running.delete(ended));
    running.add(ended);
  };

  /** One message, from the channel to the reply: the steps of Construct's processMessage, in their order. */
  const answer = async (incoming: IncomingMessage, suspension?: Suspension): Promise<Reply> => {
    const earlier = incoming.key === undefined ? undefined : await conversations.earlierTurn(incoming.key);
    const known = earlier && replyOf(earlier);
    if (known) return known;
    const hooks = createTurnHookTable(services.turnHooks(), log);
    const { message, reply: instead } = await hooks.message(incoming);
    const agent = services.agentFor(message.agent);
    if (instead !== undefined) return await answerInstead(message, agent.id, instead, earlier);
    const model = await services.models.resolve(agent.brain);
    if (!model) throw noModelError(await services.models.local());

    // 1, 2. The conversation, and the turn that the memory's hooks work with.
    const conversation = earlier?.conversation ?? (await conversations.getOrCreate(keyOf(message)));
    const { embed } = services;
    using turn = openTurn({ message, suspended: suspension?.soon, conversation, agent, embed, log });
    const opened = { turn, message, agent, model, hooks, earlier, suspension };
    return await turnTraces.tracePromise(() => takeTurn(opened), {
      turn,
      agent,
      model: model.id,
      parent: message.parent,
    });
  };

  const takeTurn = async (opened: Opened): Promise<Reply> => {
    const { turn, message, agent, model, hooks, earlier, suspension } = opened;
    const { conversation } = turn;
    const say = message.onEvent ?? ignore;

    // 3, 4, 5. History, memories, skills. Whoever first wants the message's embedding has it made, for all.
    const history = await loadHistory(turn, hooks, conversations, earlier?.userMessageId);
    for (const origin of earlier?.untrusted ?? []) turn.untrusted.note(origin);
    const toolCalls = [...(earlier?.toolCalls ?? [])];
    const [sections, skills] = await Promise.all([hooks.preTurn(turn), services.skillsFor(agent, turn)]);

    // 6. What differs from turn to turn goes before the message.
    const preamble = writePreamble({
      now: new Date(),
      timezone: services.timezone,
      source: message.source,
      development: services.development,
      earlier: history.earlier,
      sections,
      skills,
      finishedJobs: await services.takeFinishedJobs(conversation.id),
      replyTo: message.replyTo,
    });

    // 7, 8. The tools that the model is shown, and the system prompt, which stays the same while they do.
    const domain = confined({ ...services.scopeFor(agent), channel: message.source }, message);
    const scope = narrowScope(domain, message.context, snapshot());
    const kept = toolsUsedIn([...history.messages, { toolCalls }]);
    const { contextWindow, maxTools } = model;
    const injection = await services.inject(agent, { scope, kept, turn, contextWindow, maxTools });
    const system = writeSystemPrompt(agent, services.identityOf(agent), injection.prompt);

    // 9. What was said before, then the message.
    const wireNameOf = (tool: string): string => snapshot().find(tool)?.wireName ?? tool;
    const messages = [
      { role: 'system', text: system } as const,
      ...toModelMessages(history.messages, { source: message.source, wireNameOf }),
      { role: 'user', content: userContent({ ...message, before: preamble }) } as const,
      ...toCallMessages(toolCalls, wireNameOf),
    ];

    // 10, 11. The message is stored before the model sees it; calls are as they end.
    const known = turn.untrusted.origins;
    await using stored = earlier
      ? await conversations.resumeTurn(earlier)
      : await conversations.openTurn(conversation.id, { ...message, agent: agent.id, known });
    const record = async (call: (typeof toolCalls)[number], begun: number | undefined): Promise<void> => {
      toolCalls.push(call);
      await stored.recordCall(call, turn.untrusted.origins, begun);
    };

    // 12, 13, 15. The model and its tools. Marks of the channel are taken out of what it says; every call is paid for.
    const speech = createReplyText(message.source, say);
    const paid = payFor(model, { agent, turn, spending: services.spending, homeCap: services.homeCap() });
    const stopped = await runLoop({
      respond: paid.respond,
      contextWindow,
      messages,
      tools: injection.tools,
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
        isSuspended: () => suspension?.soon.aborted === true,
      }),
      speech,
      maxRounds: agent.runtime.maxRounds,
      deadlineSeconds: agent.runtime.deadline,
      signal: suspension ? AbortSignal.any([turn.signal, suspension.soon]) : turn.signal,
    }).catch(async (cause: unknown) => {
      await stored.interrupt(messageOf(cause));
      throw cause;
    });

    if (stopped === cancelled && isSuspended(opened)) {
      await stored.interrupt('Pegboard was stopped');
      throw suspendedTurn();
    }

    // 14. The reply is stored before anybody gets it.
    await stored.finish(speech.text, stopped);
    const reply: Reply = {
      text: speech.text,
      toolCalls,
      usage: paid.usage,
      conversation,
      untrusted: turn.untrusted.origins,
      messageId: stored.messageId,
      ...(stopped !== undefined && { stopped }),
    };

    // 16. Observing and remembering go on behind the reply.
    awaitedAtClose(hooks.postTurn(turn, reply));
    return reply;
  };

  /** A hook has the answer: a command of the channel, a pairing code. */
  const answerInstead = async (
    message: IncomingMessage,
    agent: string,
    text: string,
    earlier: EarlierTurn | undefined,
  ): Promise<Reply> => {
    const conversation = earlier?.conversation ?? (await conversations.getOrCreate(keyOf(message)));
    await using stored: StoredTurn = earlier
      ? await conversations.resumeTurn(earlier)
      : await conversations.openTurn(conversation.id, { ...message, agent });
    await stored.finish(text);
    message.onEvent?.({ type: 'text', text });
    const usage = { input: 0, output: 0 };
    return { text, toolCalls: [], usage, conversation, untrusted: [], messageId: stored.messageId };
  };

  const converse: Converse = async (incoming) => {
    const { source, externalId, key, suspend = never } = incoming;
    using suspension = key === undefined ? undefined : openSuspension([closing.signal, suspend]);
    const signal = AbortSignal.any([incoming.signal ?? never, suspension?.now ?? closing.signal]);
    const waiting = AbortSignal.any([signal, suspension?.soon ?? never]);
    try {
      const message = { ...incoming, signal };
      const work = (): Promise<Reply> => answer(message, suspension);
      return await queue.run(JSON.stringify([source, externalId]), work, waiting);
    } catch (cause) {
      throw waiting.aborted && cause === waiting.reason ? cancelledEarly() : cause;
    }
  };

  return {
    converse(message) {
      const reply = converse(message);
      awaitedAtClose(reply);
      return reply;
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** What a turn begins with. */
interface Opened {
  readonly turn: Turn;
  readonly message: IncomingMessage;
  readonly agent: Agent;
  readonly model: Model;
  readonly hooks: TurnHookTable;
  /** The same turn, as far as it had come before it was cut off. */
  readonly earlier: EarlierTurn | undefined;
  readonly suspension: Suspension | undefined;
}

/** By the end of the host, and not by whoever wrote. */
const isSuspended = ({ suspension, turn }: Opened): boolean =>
  suspension?.soon.aborted === true && (!turn.signal.aborted || suspension.now.aborted);

const ignore = (): void => {};

const keyOf = ({ source, externalId }: ConversationKey): ConversationKey => ({ source, externalId });

const never = new AbortController().signal;

const suspendedTurn = (): PegboardError =>
  new PegboardError('PEG_CANCELLED', 'Pegboard was stopped; the turn can go on when it runs again.');

const cancelledEarly = (): PegboardError =>
  new PegboardError('PEG_CANCELLED', 'The message was cancelled before it was answered.');
