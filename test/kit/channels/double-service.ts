import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type {
  ButtonPress,
  ChannelEvent,
  MessageContent,
  SendOptions,
} from '../../../host/api/channels/driver.ts';
import type { RawEvent } from '../../../host/api/channels/inbox.ts';
import type { ChannelUnderTest, SaidMessage, Who } from './channel-under-test.ts';

interface Stored {
  readonly chat: string;
  readonly id: string;
  text: string;
  buttons: SendOptions['buttons'];
}

const folder = join(import.meta.dirname, 'double');
const fileOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/**
 * The service behind test/kit/channels/double/: it stores what was sent, and sends events until they are acknowledged.
 */
export async function startDouble(): Promise<ChannelUnderTest> {
  const news = new EventTarget();
  const tell = (): void => void news.dispatchEvent(new Event('news'));
  const listeners: (() => void)[] = [];
  const messages: Stored[] = [];
  const history: RawEvent[] = [];
  let pending: RawEvent[] = [];
  let next = 1;
  const refused = new Set<string>();

  const answers: { readonly [what: string]: (body: any, response: ServerResponse) => unknown } = {
    async events(_body, response) {
      response.once('close', tell);
      while (pending.length === 0 && !response.destroyed) await once(news, 'news');
      return pending;
    },
    taken(events: readonly RawEvent[]) {
      pending = pending.filter(({ id }) => !events.some((event) => event.id === id));
      return {};
    },
    send({ to, content, options }: { to: { chat: string }; content: MessageContent; options: SendOptions }) {
      const scope = refused.has('account') ? 'account' : refused.has(to.chat) ? 'chat' : undefined;
      if (scope) return { refused: scope };
      const text = content.kind === 'text' ? content.text : content.name;
      const message = { chat: to.chat, id: `m${next++}`, text, buttons: options.buttons };
      messages.push(message);
      for (const listener of listeners) listener();
      return message.id;
    },
    edit({ id, text }: { readonly id: string; readonly text: string }) {
      const message = messages.find((one) => one.id === id);
      if (message) Object.assign(message, { text, buttons: undefined });
      return message !== undefined;
    },
    acknowledge: ({ press, notice }: { readonly press: ButtonPress; readonly notice: string }) => {
      notices.set(press.id, notice);
      return {};
    },
  };
  const notices = new Map<string, string>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse((await request.toArray()).join('') || '{}') as unknown;
    const answer = await answers[request.url!.slice(1)]!(body, response);
    response.end(JSON.stringify(answer));
    tell();
  };
  const server = createServer((request, response) => void serve(request, response).catch(() => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const add = (body: ChannelEvent): void => {
    const event = { id: `e${history.length + 1}`, body };
    history.push(event);
    pending.push(event);
    tell();
  };
  const from = (who: Who) => ({ from: { id: who, name: who }, address: { chat: who }, isPrivate: true });
  const shown = ({ id, text, buttons = [] }: Stored): SaidMessage => ({
    id,
    text,
    buttons: buttons.map(({ label }) => label),
  });
  return {
    name: 'double',
    messageTag: 'dbl',
    ids: { anna: 'anna', ben: 'ben' },
    files: {
      'plugins/double/plugin.yaml': fileOf('plugin.yaml'),
      'plugins/double/index.ts': fileOf('index.ts'),
    },
    plugins: { double: { trusted: true } },
    environment: { DOUBLE_SERVICE: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    hasButtons: true,
    async write(who, text) {
      add({ kind: 'message', id: `m${next++}`, ...from(who), text, answer: text });
    },
    async repeat() {
      pending.push(history.at(-1)!);
      tell();
    },
    async press(who, { id }, label) {
      const { buttons = [], chat } = messages.find((one) => one.id === id)!;
      const { data } = buttons.find((button) => button.label === label)!;
      add({ kind: 'press', id: `p${next++}`, ...from(who), address: { chat }, data, message: id });
    },
    sentTo: (who) => messages.filter(({ chat }) => chat === who).map(shown),
    refuse(what) {
      refused.add(what);
      return { [Symbol.dispose]: () => void refused.delete(what) };
    },
    taken: () => until(() => pending.length === 0),
    onArrival: (listener) => void listeners.push(listener),
    until,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function until(find: () => any): Promise<any> {
    for (;;) {
      const found = find() as unknown;
      if (found !== undefined && found !== false) return found;
      await once(news, 'news');
    }
  }
}
