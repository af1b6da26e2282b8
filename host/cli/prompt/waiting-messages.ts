import type { Channel } from '../../api/channels/channel.ts';
import { startInterval } from '../../core/async/timer.ts';
import { messageOf } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import type { Surface } from '../terminal/terminal.ts';
import type { StayingLine } from '../terminal/live-region.ts';
import { showPicture } from '../terminal/pictures/show-picture.ts';
import { withoutEscapes } from '../terminal/safe.ts';
import { terminalKey } from './chat/own-conversation.ts';
import { showQuestion } from '../approvals/show-question.ts';
import type { Input } from './input.ts';

/** Interval in milliseconds at which messages from other processes are checked. */
const pollIntervalMs = 2_000;

/**
 * Shows messages that schedules and others sent to this terminal, before or while it is open, and questions of
 * unattended work. Disposing waits until the messages that were taken are shown.
 */
export function showWaitingMessages(
  host: Host,
  input: Pick<Input, 'print'>,
  surface: Surface,
): AsyncDisposable {
  const { style } = surface;
  const shown = new Set<number>();
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      for (const channel of channelsOf(host)) {
        for (const { text, images = [], at } of await channel.take!(terminalKey.externalId)) {
          const when = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
          const pictures: StayingLine[] = [];
          for (const image of images) {
            const lines = await showPicture(image, host.home, surface)?.lines();
            pictures.push(...(lines ?? ['[image]']));
          }
          const lines = text === '' ? [] : withoutEscapes(text).split('\n');
          input.print([style.quiet(when), ...lines, ...pictures, '']);
        }
      }
      for (const question of await host.questions.list()) {
        if (!question.unattended || shown.has(question.id)) continue;
        shown.add(question.id);
        input.print(showQuestion(question, surface));
      }
    } catch (cause) {
      host.log.warn('what was sent to the terminal could not be shown', { cause: messageOf(cause) });
    }
  };
  const lookOnce = (): void => {
    looking ??= look().finally(() => (looking = undefined));
  };
  lookOnce();
  const looks = startInterval(pollIntervalMs, lookOnce, host.surroundings.clock);
  return {
    async [Symbol.asyncDispose]() {
      looks[Symbol.dispose]();
      await looking;
    },
  };
}

/** Channels whose messages have to be fetched. */
function channelsOf({ plugins }: Host): readonly Channel[] {
  return plugins.instances.flatMap(({ channels }) =>
    Object.values(channels).filter((channel) => channel.take !== undefined),
  );
}
