import { expect, test } from 'vitest';
import { manifest } from '../../kit/homes/home.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';

test('a message that was answered and is given again by its key gets the stored answer', async () => {
  await using home = await openAgentHome([{ text: 'only once' }]);
  const first = await home.say('hello', { key: 'test/1' });
  const again = await home.say('hello', { key: 'test/1' });
  expect(again).toMatchObject({ text: 'only once', messageId: first.messageId });
  expect(home.model.requests).toHaveLength(1);
});

test('a turn that is suspended lets its tool end, asks no model, and goes on with the same key', async () => {
  const suspending = new AbortController();
  await using home = await openAgentHome(
    [{ toolCalls: [{ name: 'note', arguments: {} }] }, { text: 'noted' }, { text: 'noted' }],
    {
      files: {
        'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
        'spaces/s/agent/tools/note.md': manifest('note', 'command: sleep 0.3; echo noted >> notes.txt'),
      },
    },
  );
  const cutOff = home.say('note it', {
    key: 'test/2',
    suspend: suspending.signal,
    onEvent: ({ type }) => void (type === 'tool_start' && suspending.abort()),
  });
  await expect(cutOff).rejects.toMatchObject({ code: 'PEG_CANCELLED' });
  expect(home.model.requests).toHaveLength(1);
  const { text, toolCalls } = await home.say('note it', { key: 'test/2' });
  expect({ text, ran: toolCalls.length }).toEqual({ text: 'noted', ran: 1 });
  expect(await home.home.read('spaces/s/notes.txt')).toBe('noted\n');
  const roles = home.model.requests.at(-1)!.messages.map(({ role }: { readonly role: string }) => role);
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool']);
});
