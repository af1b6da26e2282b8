import type { ChatAddress } from 'pegboard';
import type { DriverParts } from '../driver-parts.ts';
import { perform } from '../outgoing/perform.ts';
import { shownBlocks } from './view.ts';

/** Messages beside a question, which nobody answers. */
export interface Tell {
  text(address: ChatAddress, text: string, signal: AbortSignal): Promise<void>;
  /** What is too long for the question itself, as a file. */
  whole(address: ChatAddress, detail: string, signal: AbortSignal): Promise<void>;
}

export const createTell = ({
  driver,
  messages,
  clock,
}: Pick<DriverParts, 'driver' | 'messages' | 'clock'>): Tell => ({
  async text(address, text, signal) {
    const content = { kind: 'text', ...shownBlocks([{ kind: 'line', text }], driver) } as const;
    const send = () => driver.send(address, content, {}, signal);
    const id = await perform(send, { signal, clock });
    await messages.keep({ address, id, own: true, text });
  },
  async whole(address, detail, signal) {
    const data = Buffer.from(detail).toString('base64');
    const file = { kind: 'file', name: 'question.txt', mimeType: 'text/plain', data } as const;
    const send = () => driver.send(address, file, {}, signal);
    const id = await perform(send, { signal, repeatable: true, clock });
    await messages.keep({ address, id, own: true, text: '[file]' });
  },
});
