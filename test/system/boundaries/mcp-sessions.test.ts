import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../host/api/result.ts';
import { overHttp } from '../../kit/mcp/mcp-clients.ts';
import { openBoundedHome, type BoundedHome } from './homes.ts';

let home: BoundedHome;
beforeAll(async () => {
  home = await openBoundedHome('fresh');
});
afterAll(() => home[Symbol.asyncDispose]());

/** A client whose user gives the same answer to each question, and the questions that it got. */
async function connect(way: keyof typeof overHttp, answer: string) {
  const asked: JsonObject[] = [];
  const { registry, dispatch, log, version } = home.host;
  const client = await overHttp[way](
    { registry, dispatch, log, version, upstreams: [] },
    {
      name: 'the same name',
      answer: (question) => {
        asked.push(question);
        return { action: 'accept', content: { answer } };
      },
    },
  );
  const write = (path: string) => client.call('write', { path, content: `${asked.length} ${path}` });
  return { asked, write, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

test.each(['SDK v1', 'SDK v2, legacy'] as const)(
  'an answer for a folder holds for the session of a client, and for no other of its name (%s)',
  async (way) => {
    const folder = `from-${way.replaceAll(/\W/g, '')}`;
    await using one = await connect(way, 'folder');
    await using other = await connect(way, 'once');
    for (const name of ['a.md', 'b.md', 'deep/c.md'])
      expect((await one.write(`${folder}/${name}`))['isError']).toBeFalsy();
    expect(one.asked).toHaveLength(1);
    await other.write(`${folder}/d.md`);
    await other.write(`${folder}/e.md`);
    expect(other.asked).toHaveLength(2);
  },
);

test('where requests have no session, an answer holds once', async () => {
  await using client = await connect('SDK v2, modern', 'once');
  await client.write('modern/a.md');
  await client.write('modern/b.md');
  expect(client.asked).toHaveLength(2);
  expect(JSON.stringify(client.asked)).not.toContain('folder in this conversation');
  expect(JSON.stringify(client.asked)).not.toContain('"enum"');
});
