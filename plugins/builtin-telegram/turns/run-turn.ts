import { PegboardError, type Content, type Converse, type IncomingMessage, type Logger } from 'pegboard';
import type { Asks } from '../asks/asks.ts';
import type { BotApi } from '../bot-api.ts';
import type { Updates } from '../inbox/updates.ts';
import { nameOf } from '../incoming/conversation.ts';
import { createDraftMessage } from '../outgoing/draft.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { OutgoingPart } from '../outgoing/parts.ts';
import { showTyping } from '../outgoing/typing.ts';
import { composeAnswer } from './compose.ts';
import { findDraft } from './find-draft.ts';
import type { Job } from './job.ts';
import { noteEffects, type LiveTurns, type SideEffects, type TelegramContext } from './live-turns.ts';

export interface TurnServices {
  readonly api: BotApi;
  readonly updates: Updates;
  readonly messages: Messages;
  readonly asks: Asks;
  readonly live: LiveTurns;
  readonly converse: Converse;
  readonly agent: string | undefined;
  /** The host's end. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Images and files of tools that go with one answer. */
const maxFiles = 10;

/**
 * One message to the agent, with all that is seen of it in the chat meanwhile. Returns what is to be sent in the end;
 * rejects when the host stops, and with PEG_UNCERTAIN where the turn was cut off so that it can't go on.
 */
export async function runTurn(
  job: Job,
  said: Pick<IncomingMessage, 'text' | 'attachments' | 'replyTo' | 'untrusted'>,
  isThreaded: () => boolean,
  services: TurnServices,
): Promise<readonly OutgoingPart[]> {
  const { api, updates, asks, live, agent, signal, log } = services;
  const { place, user, message } = job;
  const { id } = job.update;
  const effects: SideEffects = {};
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  using _live = live.add({ update: id, place, user, message, effects, stop: () => stopping.abort() });
  using _typing = showTyping(api, place);

  const wantedReply = (): number | undefined => (place.chat < 0 || isThreaded() ? message : undefined);
  const { messages } = services;
  let draftReply: number | undefined;
  let sentAfter: number | null = null;
  const draft = createDraftMessage({
    api,
    place,
    message: await findDraft(job, services),
    replyTo: () => effects.replyTo ?? wantedReply(),
    beforeSending: async () => {
      sentAfter = await messages.last(place.chat);
      await updates.change(id, { draft_after: sentAfter });
    },
    find: () => findDraft(job, services, sentAfter),
    onMessage: async (draftId, replyTo) => {
      draftReply = replyTo;
      await updates.change(id, { draft: draftId });
    },
    signal: either,
    log,
  });
  const heard = listen((text) => draft.show(text));

  let text: string;
  let stored: number | undefined;
  try {
    const reply = await services.converse({
      ...said,
      source: 'telegram',
      externalId: nameOf(place),
      externalMessageId: String(message),
      context: {
        update: id,
        chat_id: place.chat,
        ...(place.topic !== undefined && { topic_id: place.topic }),
        message_id: message,
        user_id: user,
      } satisfies TelegramContext,
      ask: asks.askIn({ update: id, chat: place.chat, user, place, message }),
      key: `telegram/${api.bot}/${id}`,
      // The host ends: the turn goes on after its restart, and so do its questions.
      suspend: signal,
      signal: stopping.signal,
      onEvent: heard.onEvent,
      ...(agent !== undefined && { agent }),
    });
    stored = reply.messageId;
    noteEffects(effects, reply.toolCalls, message);
    text = stopping.signal.aborted ? `${reply.text}\n\n(Stopped.)` : reply.text;
  } catch (thrown) {
    if (stopping.signal.aborted) text = 'Stopped.';
    else if (signal.aborted || isOver(thrown)) {
      await draft.end();
      throw thrown;
    } else {
      log.error('a message was not answered', { cause: thrown });
      text =
        thrown instanceof PegboardError
          ? `I can't answer: ${thrown.message}`
          : "I can't answer: something went wrong in Pegboard. Its log says what.";
    }
  }
  await asks.close(id);
  const shown = await draft.end();
  return composeAnswer({
    text,
    stored,
    files: heard.files.slice(0, maxFiles),
    effects,
    draft: shown === undefined ? undefined : { message: shown, replyTo: draftReply },
    replyTo: wantedReply(),
  });
}

const isOver = (thrown: unknown): boolean =>
  (thrown instanceof PegboardError && (thrown.code === 'PEG_CANCELLED' || thrown.code === 'PEG_UNCERTAIN')) ||
  (thrown instanceof DOMException && thrown.name === 'AbortError');

/** What a turn's events come to. */
function listen(show: (text: string) => void): {
  readonly onEvent: NonNullable<IncomingMessage['onEvent']>;
  readonly files: readonly Content[];
} {
  let text = '';
  /** Where the text begins that a restart discards. */
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
