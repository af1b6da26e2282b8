import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { databaseOf } from '../../../kit/database.ts';
import { answersIn, notesIn, openChat } from '../../../kit/web/open-chat.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

// Of what every channel is tested for, this is all that the page can have: nobody blocks a chat in it, it has no token,
// and while its database takes no text, no turn can begin.
test('an answer whose picture the disk does not take is kept, no model is asked, and all goes on in order', async () => {
  await using model = await startScriptedModel(({ messages }) => {
    if (JSON.stringify(messages).includes('are you there?')) return { text: 'here I am' };
    return messages.some(({ role }) => role === 'tool')
      ? { text: 'a picture' }
      : { toolCalls: [{ name: 'read', arguments: { path: 'dot.png' } }] };
  });
  await using chatting = await openChat(model.baseUrl);
  const { home } = chatting.page;
  await writeFile(join(home.path, 'dot.png'), dot);
  const folder = join(home.path, 'data/page');
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, 'in the way');
  await chatting.write('show me');
  await using database = databaseOf(home);
  const db = (await database.open()) as unknown as Kysely<{
    channel_holds: { told: number };
    channels_messages: { text: string };
  }>;
  await waitUntil(() =>
    db.selectFrom('channel_holds').select('told').where('told', '=', 1).executeTakeFirst(),
  );
  await chatting.write('are you there?');
  await rm(folder);
  const done = await chatting.until((now) => answersIn(now).length === 2);
  expect(answersIn(done).map(({ text }) => text)).toEqual(['a picture', 'here I am']);
  const told = await db.selectFrom('channels_messages').select('text').execute();
  expect(told.map(({ text }) => text)).toEqual([expect.stringMatching(/a file could not be written/)]);
  expect(notesIn(done)).toHaveLength(1);
  expect(model.requests).toHaveLength(3);
});
