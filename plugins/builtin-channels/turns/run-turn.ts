import { type Ask, type Content, type ErrorCode, type IncomingMessage, PegboardError } from 'pegboard';
import { nameOf } from '../address.ts';
import { isHoldUp } from '../failure.ts';
import type { ChannelParts } from '../channel-parts.ts';
import { markOf } from '../outgoing/lost-message.ts';
import type { OutgoingPart } from '../outgoing/parts.ts';
import { composeAnswer } from './compose.ts';
import { createDraftMessage, type DraftMessage } from './draft.ts';
import { findDraft } from './find-draft.ts';
import type { Job } from './job.ts';
import type { ChannelContext, SideEffects } from './live-turns.ts';
import { replyTarget } from './reply-target.ts';
import { showTyping } from './typing.ts';

/** Maximum images and files sent with one answer. */
const maxFiles = 10;

type AgentInput = Pick<IncomingMessage, 'text' | 'attachments' | 'replyTo' | 'untrusted'>;

/**
 * Passes one message to the agent and shows its progress in the chat. Returns the parts of the answer. Rejects when the
 * host stops, with the failure if a question can't be asked because the chat or the account takes nothing, and with
 * PEG_UNCERTAIN when the turn was interrupted and can't be resumed.
 */
export async function runTurn(
  job: Job,
  input: AgentInput,
  parts: ChannelParts,
): Promise<readonly OutgoingPart[]> {
  const { driver, title, asks, live, signal, log } = parts;
  const { address, person, message } = job;
  const { id } = job.event;
  const effects: SideEffects = {};
  const stopping = new AbortController();
  const holding = new AbortController();
  using _live = live.add({ event: id, address, person, message, effects, stop: () => stopping.abort() });
  using _typing = showTyping(driver, address);

  using _asked = watchForStop(id, parts, () => stopping.abort());

  const replyTo = async (): Promise<string | undefined> => effects.replyTo ?? (await replyTarget(job, parts));
  // Stopped by the person, a message that is on its way is still waited for: it becomes the answer.
  const draft = await openDraft(job, replyTo, parts);
  const collected = listen((text) => draft.show(text));

  let text: string;
  let stored: number | undefined;
  try {
    const reply = await parts.context.converse(
      toIncoming(job, input, { stop: stopping.signal, holding, onEvent: collected.onEvent }, parts),
    );
    stored = reply.messageId;
    for (const call of reply.toolCalls) Object.assign(effects, parts.effectsOf?.(call, message));
    text = stopping.signal.aborted ? `${reply.text}\n\n(Stopped.)` : reply.text;
  } catch (thrown) {
    if (stopping.signal.aborted) text = 'Stopped.';
    else if (holding.signal.aborted) {
      await draft.end();
      throw holding.signal.reason;
    } else if (signal.aborted || isOver(thrown)) {
      await draft.end();
      throw thrown;
    } else {
      log.error('a message was not answered', { cause: thrown });
      text =
        thrown instanceof PegboardError
          ? `I can't answer: ${thrown.message}`
          : "I can't answer: something went wrong in Pegboard. Pegboard's log says what.";
    }
  }
  await asks.close(id);
  const shown = await draft.end();
  return composeAnswer(
    {
      text,
      stored,
      files: collected.files.slice(0, maxFiles),
      effects,
      draft: shown === undefined ? undefined : { message: shown, replyTo: draft.replyTo() },
      replyTo: await replyTarget(job, parts),
    },
    { driver, title },
  );
}

/** Milliseconds between two looks whether somebody asked another host to stop the turn. */
const stopIntervalMs = 1_000;

/** The host that receives a /stop is not always the one that runs the turn. */
function watchForStop(
  event: number,
  { events, log }: Pick<ChannelParts, 'events' | 'log'>,
  stop: () => void,
): Disposable {
  const look = async (): Promise<void> => {
    try {
      if ((await events.find(event))?.stop_asked === 1) stop();
    } catch (cause) {
      log.debug('whether a turn is to be stopped is not known', { cause });
    }
  };
  const timer = setInterval(() => void look(), stopIntervalMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const isOver = (thrown: unknown): boolean =>
  (thrown instanceof PegboardError && over.has(thrown.code)) ||
  (thrown instanceof DOMException && thrown.name === 'AbortError');

const over: ReadonlySet<ErrorCode> = new Set(['PEG_CANCELLED', 'PEG_UNCERTAIN', 'PEG_CLAIM_LOST']);

/** Continues the draft of an earlier attempt, or creates one as soon as there is text to show. Its id is stored on disk. */
async function openDraft(
  job: Job,
  replyTo: () => Promise<string | undefined>,
  parts: ChannelParts,
): Promise<DraftMessage & { readonly replyTo: () => string | undefined }> {
  const { driver, events, clock, signal, log } = parts;
  const { event, address, isPrivate } = job;
  let replied: string | undefined;
  let mark: string | null = null;
  const draft = createDraftMessage({
    driver,
    address,
    isPrivate,
    message: await findDraft(job, parts),
    replyTo,
    beforeSending: async () => {
      mark = await markOf(address, parts);
      await events.change(event.id, { draft_mark: mark });
    },
    find: () => findDraft(job, parts, mark),
    onMessage: async (id, to) => {
      replied = to;
      await events.change(event.id, { draft: id });
    },
    signal,
    log,
    clock,
  });
  return { ...draft, replyTo: () => replied };
}

function toIncoming(
  { event, address, person, message }: Job,
  input: AgentInput,
  { stop, holding, onEvent }: TurnControl,
  { name, driver, asks, moved, settings, signal }: ChannelParts,
): IncomingMessage {
  const there = { ...address, chat: moved.atService(address.chat) };
  const context: ChannelContext = { event: event.id, ...there, message, person };
  const ask = suspendingWhenHeld(asks.askIn({ event: event.id, address, person, message }), holding);
  return {
    ...input,
    source: name,
    externalId: nameOf(address),
    externalMessageId: message,
    ...(driver.messageTag !== undefined && { messageTag: driver.messageTag }),
    context,
    ask: withApprovals(driver.approve, ask),
    key: `${name}/${event.account}/${event.event}`,
    isClaimed: true,
    askToGoOn: true,
    // When the host stops, the turn and its questions are resumed after the restart.
    suspend: AbortSignal.any([signal, holding.signal]),
    signal: stop,
    onEvent,
    ...(settings.agent !== undefined && { agent: settings.agent }),
  };
}

interface TurnControl {
  readonly stop: AbortSignal;
  /** Aborted with the failure when nothing can be asked: the turn goes on when its chat takes messages again. */
  readonly holding: AbortController;
  readonly onEvent: NonNullable<IncomingMessage['onEvent']>;
}

const suspendingWhenHeld =
  (ask: Ask, holding: AbortController): Ask =>
  async (question, signal) => {
    try {
      return await ask(question, signal);
    } catch (thrown) {
      if (isHoldUp(thrown)) holding.abort(thrown);
      throw thrown;
    }
  };

/** A question that can be answered elsewhere too asks whether a call may run. */
const withApprovals = (approve: Ask | undefined, ask: Ask): Ask =>
  approve
    ? (question, signal) => (question.elsewhere ? approve(question, signal) : ask(question, signal))
    : ask;

/** Collects the text and files of a turn's events. */
function listen(show: (text: string) => void): {
  readonly onEvent: NonNullable<IncomingMessage['onEvent']>;
  readonly files: readonly Content[];
} {
  let text = '';
  /** The length of the text that a restart keeps. */
  let kept = 0;
  const files: Content[] = [];
  return {
    files,
    onEvent(event) {
      if (event.type === 'text') show((text += event.text));
      if (event.type === 'restart') text = text.slice(0, kept);
      if (event.type === 'tool_start') kept = text.length;
      if (event.type === 'tool_end' && !event.result.error)
        files.push(...event.result.content.filter(isFile));
    },
  };
}

const isFile = (block: Content): boolean =>
  block.type === 'image' ||
  block.type === 'audio' ||
  (block.type === 'resource' && typeof block.resource['blob'] === 'string');
