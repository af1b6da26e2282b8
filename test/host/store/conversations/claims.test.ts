import { expect, test } from 'vitest';
import { createConversations } from '../../../../host/store/conversations/conversations.ts';
import { databaseOf } from '../../../kit/database.ts';
import { createHome } from '../../../kit/homes/home.ts';

const call = { id: 'c1', tool: 's.note', args: {}, result: 'noted', ok: true, ms: 1 };
const reply = { round: 1, text: '', calls: [{ id: 'c1', name: 'note', arguments: '{}' }] };

/** A turn with a stored reply and a begun call, as its own process and another one see it. */
async function openClaims() {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await createHome());
  const database = opened.use(databaseOf(home));
  const own = createConversations(database);
  // For this one, the process of the first attempt is dead.
  const other = createConversations(database, { find: async () => () => true });
  const { id } = await own.getOrCreate({ source: 'cli', externalId: 'cli' });
  const first = await own.openTurn(id, { text: 'note it', agent: 'a', key: 'k', preamble: '[Context]' });
  await first.storeReply(reply);
  const begun = await first.beginCall(call, 1);
  const owned = opened.move();
  return { database, own, other, first, begun, id, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const lost = { code: 'PEG_CLAIM_LOST' };

test('an attempt that wakes up after another one took its turn over writes nothing, and gets PEG_CLAIM_LOST', async () => {
  await using claims = await openClaims();
  const { own, other, first, begun, id } = claims;
  const earlier = (await other.earlierTurn('k'))!;
  expect(earlier).toMatchObject({
    state: 'interrupted',
    crashes: 1,
    preamble: '[Context]',
    replies: [reply],
  });
  const second = await other.resumeTurn(earlier);
  await expect(first.recordCall({ call, round: 1, begun })).rejects.toMatchObject(lost);
  await expect(first.beginCall({ ...call, id: 'c2' }, 1)).rejects.toMatchObject(lost);
  await expect(first.storeReply({ ...reply, round: 2 })).rejects.toMatchObject(lost);
  await expect(first.finish('from the first')).rejects.toMatchObject(lost);
  await first.interrupt('woke up');
  await second.finish('from the second');
  const [, answer] = await own.recent(id, 2);
  expect(answer).toMatchObject({ state: 'done', text: 'from the second' });
  expect(answer!.toolCalls).toMatchObject([{ id: 'c1', ok: false }]);
  await expect(second.finish('twice')).rejects.toMatchObject(lost);
});

test('of two attempts that take a turn over at once, one gets it', async () => {
  await using claims = await openClaims();
  const { other } = claims;
  const earlier = (await other.earlierTurn('k'))!;
  const attempts = await Promise.allSettled([other.resumeTurn(earlier), other.resumeTurn(earlier)]);
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(attempts.find(({ status }) => status === 'rejected')).toMatchObject({ reason: lost });
});

test('an attempt that has read a turn before another one was interrupted in it does not get it', async () => {
  await using claims = await openClaims();
  const { other } = claims;
  const stale = (await other.earlierTurn('k'))!;
  const second = await other.resumeTurn(stale);
  await second.storeReply({ ...reply, round: 2 });
  await second.interrupt('stopped');
  await expect(other.resumeTurn(stale)).rejects.toMatchObject(lost);
  expect((await other.earlierTurn('k'))!.replies.map(({ round }) => round)).toEqual([1, 2]);
});

test('a turn that runs is left alone by others, and its replies are deleted when it ends', async () => {
  await using claims = await openClaims();
  const { database, own, first, begun } = claims;
  const running = (await own.earlierTurn('k'))!;
  expect(running.state).toBe('running');
  await expect(own.resumeTurn(running)).rejects.toMatchObject(lost);
  await first.recordCall({
    call,
    round: 1,
    begun,
    content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
  });
  await first.finish('noted');
  const open = await database.open();
  expect(await open.selectFrom('model_replies').selectAll().execute()).toEqual([]);
  expect(await open.selectFrom('tool_calls').select('content').execute()).toEqual([{ content: null }]);
  expect(await open.selectFrom('messages').select('preamble').execute()).toEqual([
    { preamble: null },
    { preamble: null },
  ]);
});
