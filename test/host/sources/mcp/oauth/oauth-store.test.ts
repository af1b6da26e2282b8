import { expect, test } from 'vitest';
import { openOAuthStore } from '../../../../../host/sources/mcp/oauth/oauth-store.ts';
import { localDocuments } from '../../../../../host/store/documents/documents.ts';
import { createHome } from '../../../../kit/homes/home.ts';

test('a change that is still being written survives that the file is read again', async () => {
  await using home = await createHome();
  const target = { url: new URL('https://example.com/mcp'), clientId: undefined };
  const store = openOAuthStore({ folder: home.path, documents: localDocuments }, 'server', target, () => {});
  await store.update({ asked: 'before' });
  const writing = store.update({ asked: 'after' });
  store.reload();
  expect(store.state.asked).toBe('after');
  await writing;
  store.reload();
  expect(store.state.asked).toBe('after');
});
