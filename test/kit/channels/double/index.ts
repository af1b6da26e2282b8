import { definePlugin, type ChannelDriver, type ChannelEvent, type RawEvent } from 'pegboard';
import { ChannelFailure, createChannel } from 'pegboard/channels';

interface Refusal {
  readonly refused: 'account' | 'chat';
}

/** A minimal driver. Its service is in test/kit/channels/double-service.ts. */
function createDouble(root: string): ChannelDriver {
  const ask = async <T>(what: string, body: object, signal?: AbortSignal): Promise<T> => {
    try {
      const answer = await fetch(`${root}/${what}`, {
        method: 'POST',
        body: JSON.stringify(body),
        signal: signal ?? null,
      });
      return (await answer.json()) as T;
    } catch (cause) {
      throw new ChannelFailure('unknown', 'the connection broke', { cause });
    }
  };
  return {
    hasButtons: true,
    messageTag: 'dbl',
    async listen(inbox, signal) {
      while (!signal.aborted) {
        const events = await ask<RawEvent[]>('events', {}, signal);
        await inbox.take(events);
        await ask('taken', events);
      }
    },
    read: (body) => body as ChannelEvent,
    async send(to, content, options) {
      const answer = await ask<string | Refusal>('send', { to, content, options });
      if (typeof answer === 'string') return answer;
      throw new ChannelFailure('refused', 'it takes nothing', { scope: answer.refused });
    },
    edit: (_to, id, text) => ask('edit', { id, ...text }),
    acknowledge: (press, notice) => ask('acknowledge', { press, notice }),
  };
}

export default definePlugin({
  setup(context) {
    const root = context.variable('DOUBLE_SERVICE')!;
    const driver = (): Promise<ChannelDriver> => Promise.resolve(createDouble(root));
    return createChannel(context, { name: 'double', title: 'Double', driver }).contributions;
  },
});
