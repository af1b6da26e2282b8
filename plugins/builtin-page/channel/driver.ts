import { randomUUID } from 'node:crypto';
import {
  type Ask,
  type ChannelDriver,
  type ChannelEvent,
  type ChannelInbox,
  parseJson,
  PegboardError,
  type QuestionBlock,
  type ReceivedFile,
  type SendOptions,
  type StyledMessage,
  toJson,
} from 'pegboard';
import { ChannelFailure } from 'pegboard/channels';
import { messageOf, whenAborted } from 'pegboard/kit';
import type { PageFiles } from '../store/page-files.ts';
import { maxFileBytes } from './limits.ts';
import type { PageMessages } from '../store/page-messages.ts';

/** What the page hands to the channel. */
export type PageEvent =
  | {
      readonly kind: 'message';
      readonly chat: string;
      readonly id: string;
      readonly text: string;
      readonly files: readonly ReceivedFile[];
    }
  | {
      readonly kind: 'press';
      readonly chat: string;
      readonly id: string;
      readonly data: string;
      readonly message: string;
    };

export interface PageDriverOptions {
  readonly messages: PageMessages;
  readonly files: PageFiles;
  /** Called whenever the channel begins to listen. */
  readonly onListening: (inbox: ChannelInbox, signal: AbortSignal) => void;
  readonly approve: Ask;
}

const chatPattern = /^c[a-z0-9]{7,39}$/;
export const isPageChat = (chat: string): boolean => chatPattern.test(chat);

/** Whoever is signed in to the page is the owner. */
const owner = { id: 'owner', name: 'you' } as const;

/** The page as a channel. Its service is the home's own database: what is sent is stored there, and shown by the page. */
export function createPageDriver({
  messages,
  files,
  onListening,
  approve,
}: PageDriverOptions): ChannelDriver {
  return {
    hasButtons: true,
    ignoresRepeats: true,
    listensEverywhere: true,
    maxDownloadBytes: maxFileBytes,
    approve,
    async listen(inbox, signal) {
      onListening(inbox, signal);
      await whenAborted(signal);
    },
    read: (body) => toEvent(body as PageEvent),
    async send({ chat }, content, options) {
      const key = options.key ?? randomUUID();
      const common = { chat, key, own: true } as const;
      if (content.kind === 'text') {
        await messages.add({ ...common, text: content.text, ...blocksIn(content), ...shownWith(options) });
        return key;
      }
      if (await messages.find(chat, key)) return key;
      const { name, mimeType, data } = content;
      const file = await files.add({ name, type: mimeType }, Buffer.from(data, 'base64')).catch(toHoldUp);
      await messages.add({ ...common, text: '', files: [file.id] });
      return key;
    },
    renderQuestion: (blocks) => ({
      text: blocks.map(({ text }) => text).join('\n\n'),
      markup: toJson(blocks),
    }),
    edit: ({ chat }, id, styled) => messages.change(chat, id, { text: styled.text, ...blocksIn(styled) }),
    async clearButtons({ chat }, id) {
      await messages.change(chat, id, { buttons: undefined });
    },
    download: async ({ id }) => (await files.read(id)).content,
    addressProblem: ({ chat }) =>
      isPageChat(chat) ? undefined : 'open the chat in the page: its address ends with its id, "c…"',
  };
}

/** A file that can't be written is not the answer's fault: what is to be sent waits until the folder takes it. */
function toHoldUp(cause: unknown): never {
  if (cause instanceof PegboardError) throw cause;
  const reason = `a file could not be written: ${messageOf(cause)}`;
  throw new ChannelFailure('refused', reason, { scope: 'account', cause });
}

/** Questions alone have markup: their blocks. */
const blocksIn = ({ markup }: StyledMessage) =>
  markup === undefined ? {} : { blocks: parseJson(markup) as readonly QuestionBlock[] };

const shownWith = ({ buttons, link, answer }: SendOptions) => ({
  ...(buttons && { buttons }),
  ...(link !== undefined && { link }),
  ...(answer !== undefined && { answer }),
});

function toEvent(event: PageEvent): ChannelEvent {
  const { chat, id } = event;
  const common = { address: { chat }, from: owner, isPrivate: true, id } as const;
  if (event.kind === 'press') return { ...common, kind: 'press', data: event.data, message: event.message };
  const { text, files } = event;
  return { ...common, kind: 'message', text, answer: text, files };
}
