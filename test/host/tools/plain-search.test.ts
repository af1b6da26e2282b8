import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const files = {
  'spaces/my/agent/tools/count.md': manifest('count', 'command: echo 3'),
  'spaces/my/agent/tools/send-mail.md': manifest('send-mail', 'command: echo sent'),
};

test('a home without the plugin that searches compares words', async () => {
  await using home = await createHome({
    ...files,
    'pegboard.yaml': 'plugins: { builtin-search: { enabled: false } }\n',
  });
  await using host = await createHost({ home: home.path });
  const search = async (query: string) =>
    (await host.search(query, 3)).map(({ tool, nearest }) => [tool.id, nearest]);
  expect(await search('send mail')).toEqual([['my.send-mail', undefined]]);
  expect((await search('brew coffee'))[0]).toEqual([expect.any(String), true]);
});

test('a search sets up the plugin that searches, and no other', async () => {
  await using home = await createHome(files);
  await using host = await createHost({ home: home.path, setUp: 'none' });
  expect(host.plugins.instances).toEqual([]);
  expect((await host.search('count', 1)).map(({ tool }) => tool.id)).toEqual(['my.count']);
  expect(host.plugins.instances.map(({ manifest: { id } }) => id)).toEqual(['builtin-search']);
});
