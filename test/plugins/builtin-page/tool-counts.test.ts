import { afterAll, beforeAll, expect, test } from 'vitest';
import { pegboardJson } from '../../kit/cli.ts';
import { servePage, type ServedPage } from '../../kit/web/served-page.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage();
});
afterAll(() => page[Symbol.asyncDispose]());

test('every place counts the same tools', async () => {
  const session = await page.signIn();
  const asked = async <T>(path: string): Promise<T> => (await page.ask(path, { session })).body;
  const home = { home: page.home.path };
  const { tools } = await pegboardJson<{ tools: readonly unknown[] }>(['tools'], home);
  const { registry } = await pegboardJson<{ registry: { tools: number } }>(['status'], home);
  const onPage = await asked<{ tools: readonly unknown[] }>('tools');
  const status = await asked<{ tools: number }>('home');
  expect({ status: registry.tools, page: onPage.tools.length, home: status.tools }).toEqual({
    status: tools.length,
    page: tools.length,
    home: tools.length,
  });
});
