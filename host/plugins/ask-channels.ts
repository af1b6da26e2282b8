import type { Answer } from '../api/ask.ts';
import type { Channel } from '../api/channels/channel.ts';
import type { OpenQuestion } from '../api/questions.ts';
import type { PluginInstance } from './instance.ts';

/** Asks the owner through every channel that can ask questions. */
export function createAskChannels(instances: () => readonly PluginInstance[]) {
  return (question: OpenQuestion, signal: AbortSignal): readonly Promise<Answer | undefined>[] =>
    instances()
      .flatMap(({ channels }) => Object.values(channels))
      .flatMap((channel) => (channel.ask ? [askOne(channel, question, signal)] : []));
}

/** Turns a synchronous throw of a channel into a rejection. */
const askOne = async (
  channel: Channel,
  question: OpenQuestion,
  signal: AbortSignal,
): Promise<Answer | undefined> => await channel.ask!(question, signal);
