import { expect, test } from 'vitest';
import type { RawEvent } from '../../../host/api/channels/inbox.ts';
import { createHost } from '../../../host/create-host.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';
import { pegboard } from '../../kit/cli.ts';
import { configFor } from '../../kit/homes/agent-home.ts';
import { createHome } from '../../kit/homes/home.ts';

/** What the driver below hands over, and what it is given to send. */
interface Service {
  /** Instead of an event: what `listen` does. */
  readonly events: (RawEvent | 'break' | 'end')[];
  readonly sent: { readonly chat: string; readonly text: string }[];
  send(chat: string, text: string): unknown;
}

const plugin = `
  import { createChannel } from 'pegboard/channels';
  const driver = (service) => ({
    async listen(inbox, signal) {
      while (!signal.aborted) {
        const events = service.events.splice(0);
        if (events.includes('break')) throw new Error('the socket broke');
        if (events.includes('end')) return;
        await inbox.take(events);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    read: (body) => body,
    async send({ chat }, { text }) {
      const id = service.send(chat, text);
      service.sent.push({ chat, text });
      return id;
    },
  });
  export default { setup: (context) => createChannel(context, {
    name: 'junk', title: 'Junk', driver: async () => driver(globalThis.junkService),
  }).contributions };`;

async function openChannel(send: Service['send'] = (_chat, text) => `m-${text}`) {
  await using opened = new AsyncDisposableStack();
  const service: Service = { events: [], sent: [], send };
  Object.assign(globalThis, { junkService: service });
  const model = opened.use(await startScriptedModel(() => ({ text: 'as you say' })));
  const config = { ...(JSON.parse(configFor(model)) as object), plugins: { junk: { trusted: true } } };
  const home = opened.use(
    await createHome({
      'pegboard.yaml': JSON.stringify(config),
      'plugins/junk/plugin.yaml':
        'id: junk\nversion: "1.0.0"\ndescription: A channel\nrequires: { optional: [ALLOWED_JUNK_IDS] }\ncommands: { junk list: { summary: List }, junk pair: { summary: Pair }, junk allow: { summary: Allow }, junk unpair: { summary: Unpair } }\n',
      'plugins/junk/index.ts': plugin,
    }),
  );
  const environment = { PATH: process.env['PATH'] ?? '', ALLOWED_JUNK_IDS: 'owner anna' };
  const host = opened.use(await createHost({ home: home.path, environment }));
  await host.plugins.startServices();
  const owned = opened.move();
  return {
    home,
    service,
    sentTo: (chat: string) => service.sent.filter((one) => one.chat === chat).map(({ text }) => text),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const message = (chat: string, id: string, rest: object = {}) => ({
  kind: 'message',
  id,
  address: { chat },
  from: { id: chat, name: chat },
  isPrivate: true,
  text: 'hello',
  answer: 'hello',
  ...rest,
});

test('an event that the driver reads wrongly is reported, and the others are answered', async () => {
  await using channel = await openChannel();
  const wrong = [
    5,
    {},
    { kind: 'message' },
    { kind: 'typing' },
    message('anna', 'x', { text: null }),
    message('anna', 'x', { address: { chat: 7 } }),
    message('anna', 'x', { address: { chat: 'a:b' } }),
    message('anna', 'x', { from: { id: '', name: '' } }),
    message('anna', 'x', { files: 'a.txt' }),
    { ...message('anna', 'x'), kind: 'press', data: 5 },
  ];
  channel.service.events.push(...wrong.map((body, index) => ({ id: `wrong-${index}`, body })), {
    id: 'right',
    body: message('anna', '1'),
  });
  await expect.poll(() => channel.sentTo('anna')).toEqual(['as you say']);
  const log = async () => await channel.home.read('data/logs/host.log');
  await expect
    .poll(log)
    .toContain('\\"read\\" returned a message whose address is missing or not as ChannelEvent');
  const lines = (await log()).split('\n').filter((line) => line.includes('the driver of Junk has a mistake'));
  expect(lines).toHaveLength(wrong.length);
});

test('a message that is not sent to a chat is reported to the owner', async () => {
  await using channel = await openChannel((chat, text) => {
    if (chat === 'anna') throw new Error('kaput');
    return `m-${text}`;
  });
  channel.service.events.push({ id: '1', body: message('anna', '1') });
  await expect
    .poll(() => channel.sentTo('owner'))
    .toEqual([expect.stringMatching(/I can't tell whether it arrived\. \(In the chat anna\.\)$/)]);
});

test('a driver that returns no id of what it sent leaves open whether it arrived', async () => {
  await using channel = await openChannel((_chat, text) => (text === 'as you say' ? undefined : 'm1'));
  channel.service.events.push({ id: '1', body: message('anna', '1') });
  await expect
    .poll(() => channel.sentTo('anna'))
    .toEqual(['as you say', expect.stringContaining("I can't tell whether it arrived.")]);
});

test('a name can neither forge a line of the list nor control the terminal', async () => {
  await using channel = await openChannel();
  const name = 'Mal\nroot  Owner  since 2026-11-24\n\u001b[31mred';
  channel.service.events.push({ id: '1', body: message('mal', '1', { from: { id: 'mal\n', name } }) });
  await expect.poll(() => channel.sentTo('mal')).toHaveLength(1);
  const { stdout } = await pegboard(['junk', 'list'], { home: channel.home.path });
  expect(stdout).toBe('mal  Mal root Owner since 2026-11-24 \\u{1b}[31mred  waiting, with a code\n');
});

test('the edit of a waiting message by somebody else does not replace it', async () => {
  await using channel = await openChannel();
  const bodies = [
    message('room', '1', { from: { id: 'anna', name: 'Anna' } }),
    message('room', '2', { from: { id: 'anna', name: 'Anna' }, text: 'one', answer: 'one' }),
    message('room', '2', {
      from: { id: 'owner', name: 'Owner' },
      text: 'two',
      answer: 'two',
      isEdited: true,
    }),
  ];
  channel.service.events.push(...bodies.map((body, index) => ({ id: `${index}`, body })));
  await expect.poll(() => channel.sentTo('room')).toHaveLength(3);
});

test.each(['break', 'end'] as const)(
  'a driver that stops listening (%s) is started again, and reported',
  async (how) => {
    await using channel = await openChannel();
    channel.service.events.push(how);
    await expect
      .poll(() => channel.home.read('data/logs/host.log').catch(() => ''))
      .toContain('receiving from Junk has stopped; trying again');
    channel.service.events.push({ id: '1', body: message('anna', '1') });
    await expect.poll(() => channel.sentTo('anna')).toEqual(['as you say']);
  },
);
