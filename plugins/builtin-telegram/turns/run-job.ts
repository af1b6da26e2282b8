import type { Message } from 'grammy/types';
import { parseJson, PegboardError, toJson, type History } from 'pegboard';
import { commandOf } from '../access/addressed.ts';
import { fileOf, receiveFile, type FileReaderOptions, type ReceivedContent } from '../incoming/files.ts';
import { originsOf } from '../incoming/origins.ts';
import { apology } from '../incoming/other-kinds.ts';
import { readMessage } from '../incoming/read-job.ts';
import { readFailed } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import { textParts, type OutgoingPart } from '../outgoing/parts.ts';
import { runChatCommand, type ChatCommandContext } from './chat-commands.ts';
import { deliverParts, type Delivery } from './deliver-parts.ts';
import type { Job } from './job.ts';
import { runTurn, type TurnServices } from './run-turn.ts';
import { tellActed, tellFailed, type UncertainServices } from './uncertain.ts';

export interface JobServices extends TurnServices, UncertainServices {
  readonly messages: Messages;
  readonly history: History;
  readonly files: FileReaderOptions;
  readonly commands: ChatCommandContext;
  /** The bot's. */
  readonly username: () => string;
}

/**
 * Takes an update from where it stands to its end. Each step is on disk before the next begins, so that after a crash
 * it goes on from there. Rejects when the host stops.
 */
export async function runJob(job: Job, isThreaded: () => boolean, services: JobServices): Promise<void> {
  const { updates } = services;
  const { update } = job;
  let delivery = readDelivery(job);
  if (delivery && update.sending === 1) {
    const { sent, failed } = delivery;
    await updates.change(update.id, { sending: 0, sent, failed: toJson(failed) });
  }

  if (update.state === 'uncertain') {
    return delivery
      ? await tellFailed(job, delivery.parts, delivery.failed, services)
      : await tellActed(job, services);
  }
  if (!delivery) {
    await updates.change(update.id, { state: 'working' });
    const parts = await answer(job, isThreaded, services).catch(unlessUncertain);
    if (!parts) return await tellActed(job, services);
    delivery = { parts, sent: 0, failed: [] };
    await updates.answered(update.id, toJson(parts), job.others);
  }
  const failed = await deliverParts(update.id, delivery, job.place, services);
  if (failed.length > 0) await tellFailed(job, delivery.parts, failed, services);
  else await updates.change(update.id, { state: 'done', parts: null });
}

const unlessUncertain = (thrown: unknown): undefined => {
  if (!(thrown instanceof PegboardError && thrown.code === 'PEG_UNCERTAIN')) throw thrown;
};

/** Undefined: there is no answer yet. A part that was being sent when the process ended may have arrived. */
function readDelivery({ update }: Job): Delivery | undefined {
  if (update.parts === null) return undefined;
  const parts = parseJson(update.parts) as readonly OutgoingPart[];
  const { sent } = update;
  const failed = readFailed(update);
  return update.sending === 1
    ? { parts, sent: sent + 1, failed: [...failed, { part: sent }] }
    : { parts, sent, failed };
}

async function answer(
  job: Job,
  isThreaded: () => boolean,
  services: JobServices,
): Promise<readonly OutgoingPart[]> {
  const [first] = job.messages;
  const replyTo = job.place.chat < 0 || isThreaded() ? job.message : undefined;
  const { untrusted = [] } = job;
  if (!first) return await runTurn(job, { text: job.text ?? '', untrusted }, isThreaded, services);
  const command = commandOf(first, services.username());
  const said = command && (await runChatCommand(command, job.update.conversation, services.commands));
  if (said !== undefined) return textParts(said, { replyTo });
  if (job.text !== undefined) return await runTurn(job, { text: job.text, untrusted }, isThreaded, services);
  const sorry = apology(first);
  if (sorry !== undefined && first.caption === undefined) return textParts(sorry, { replyTo });
  const received = await Promise.all(job.messages.map((message) => receive(message, services)));
  const notes = [...received.flatMap((one) => one.notes), ...(sorry === undefined ? [] : [`[${sorry}]`])];
  const texts = job.messages.map((message, index) =>
    readMessage(message, { notes: index === job.messages.length - 1 ? notes : [] }, services.username()),
  );
  const [{ replyTo: quoted } = {}] = texts;
  const about = { bot: services.api.bot, conversation: job.update.conversation, history: services.history };
  const origins = await Promise.all(job.messages.map((message) => originsOf(message, about)));
  const attachments = received.flatMap(({ content }) => content);
  return await runTurn(
    job,
    {
      text: texts
        .map(({ text }) => text)
        .filter((text) => text !== '')
        .join('\n'),
      untrusted: origins.flat(),
      ...(attachments.length > 0 && { attachments }),
      ...(quoted !== undefined && { replyTo: quoted }),
    },
    isThreaded,
    services,
  );
}

async function receive(message: Message, { files, signal }: JobServices): Promise<ReceivedContent> {
  const file = fileOf(message);
  return file ? await receiveFile(file, files, signal) : { content: [], notes: [] };
}
