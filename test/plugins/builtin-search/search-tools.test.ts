import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../host/core/async/clock.ts';
import type { Snapshot } from '../../../host/api/source.ts';
import { silentLogger } from '../../../host/core/log.ts';
import type { PayForEmbeddings } from '../../../host/api/services/kernel-tokens.ts';
import type { SearchRequest } from '../../../host/api/services/search.ts';
import { keepIndexed } from '../../../host/compose/provided/search.ts';
import { createToolSearch } from '../../../plugins/builtin-search/search-tools.ts';
import { createSearch } from '../../../plugins/builtin-search/search.ts';
import { createMemoryVectorCache } from '../../../plugins/builtin-search/vectors/vector-cache.ts';
import { createRegistry } from '../../../host/tools/registry.ts';
import { echoTool, memorySource } from '../../kit/source.ts';

const issue = echoTool({ name: 'create_issue', description: 'Open a new issue.' });
const mail = echoTool({ name: 'send_mail', description: 'Write to somebody.', category: 'Messages' });
const note = echoTool({ name: 'send_note', description: 'Write to somebody in the team.' });

async function searchIn(...modules: readonly (readonly [string, readonly (typeof issue)[]])[]) {
  const registry = createRegistry(silentLogger);
  const sources = modules.map(([module, tools]) => memorySource(tools, { module }));
  for (const source of sources) await registry.add(source);
  const search = createToolSearch(() => registry.snapshot);
  const find = async (request: string | SearchRequest, limit = 5): Promise<string[]> =>
    (await search(request, limit)).filter(({ nearest }) => !nearest).map(({ tool }) => tool.id);
  return { registry, sources, search, find };
}

test('search follows the registry: new tools are found, removed ones are not, changed ones are updated', async () => {
  const { registry, sources, find } = await searchIn(['work', [issue, mail]]);
  expect(await find('create issue')).toEqual(['work.create_issue']);
  const changed = Promise.withResolvers<void>();
  registry.onChange(() => changed.resolve());
  const closing = { ...issue, name: 'close_ticket', description: 'Ends a ticket.' };
  sources[0]!.change({ tools: [closing, { ...mail, description: 'Fly a kite.' }] });
  await changed.promise;
  expect(await find('create issue')).toEqual([]);
  expect(await find('close ticket')).toEqual(['work.close_ticket']);
  expect(await find('fly a kite')).toEqual(['work.send_mail']);
});

test('what is found is the tool of the newest snapshot', async () => {
  const { registry, find, search } = await searchIn(['work', [issue]]);
  await find('issue');
  await registry.add(memorySource([mail], { module: 'post' }));
  const [found] = await search('create issue', 1);
  expect(found!.tool).toBe(registry.snapshot.tools.get('work.create_issue'));
});

test('queries that come in while the index is made wait for it', async () => {
  const many = Array.from({ length: 3000 }, (_, at) =>
    echoTool({ name: `tool_${at}`, description: `Handles thing number ${at} of the catalogue` }),
  );
  const { find } = await searchIn(['work', [...many, issue]]);
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const answers = await Promise.all([find('create issue'), find('create issue'), find('create issue')]);
  clearInterval(counting);
  expect(answers.map(([best]) => best)).toEqual(Array(3).fill('work.create_issue'));
  expect(turns, 'others get their turn meanwhile').toBeGreaterThan(2);
});

test('the tools of a large home are indexed in the background, and again after a change', async () => {
  const registry = createRegistry(silentLogger);
  let read = 0;
  /** Counts how often its description is read. */
  const toolsNamed = (word: string) =>
    Array.from({ length: 1000 }, (_, at) => echoTool({ name: `${word}_${at}`, description: 'Does it' }));
  const counting = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    tools: new Map(
      [...snapshot.tools].map(([id, tool]) => [
        id,
        Object.defineProperty({ ...tool }, 'description', { get: () => (read++, tool.description) }),
      ]),
    ),
  });
  const source = memorySource(toolsNamed('invoice'), { module: 'work' });
  await registry.add(source);
  let snapshot = counting(registry.snapshot);
  const pay: PayForEmbeddings = async () => ({
    settle: async () => {},
    [Symbol.asyncDispose]: async () => {},
  });
  const cache = createMemoryVectorCache();
  using search = createSearch(() => snapshot, { cache, log: silentLogger, pay, clock: systemClock });
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  using _ = keepIndexed(search, {
    get snapshot() {
      return snapshot;
    },
    onChange: (listener) =>
      registry.onChange((next) => {
        snapshot = counting(next);
        read = 0;
        listener(next);
        resolve();
      }),
  });
  await expect.poll(() => read).toBeGreaterThanOrEqual(1000);
  source.change({ tools: toolsNamed('receipt') });
  await changed;
  await expect.poll(() => read).toBeGreaterThanOrEqual(1000);
  expect((await search.tools('receipt', 1))[0]?.tool.name).toContain('receipt');
});

test('several queries are parts of one request: what any of them asks for comes first', async () => {
  const { find } = await searchIn(['work', [issue, mail, note]]);
  const found = await find({ queries: ['send mail', 'create issue', 'brew coffee'] });
  expect(new Set(found.slice(0, 2))).toEqual(new Set(['work.send_mail', 'work.create_issue']));
});

test('a domain decides between tools that do the same', async () => {
  const { find, search } = await searchIn(['github', [issue]], ['gitlab', [issue]], ['jira', [issue]]);
  for (const domain of ['gitlab', 'jira'])
    expect((await find({ queries: ['create issue'], domain }))[0]).toBe(`${domain}.create_issue`);
  const [found] = await search({ queries: ['create issue'], domain: 'software development planning' }, 1);
  expect(found, 'one that nobody knows makes nothing unsure').not.toHaveProperty('nearest');
});

test('a server that is named comes first, and the others stay', async () => {
  const { find } = await searchIn(['gitHub', [mail]], ['gitlab', [mail]]);
  for (const server of ['gitlab', 'GitHub', 'git-hub']) {
    const found = await find({ queries: ['send mail'], server });
    expect(found[0]!.toLowerCase().startsWith(server.toLowerCase().replace('-', ''))).toBe(true);
    expect(found).toHaveLength(2);
  }
});

test('a category holds its own tools, and those of the module of that name', async () => {
  const { find } = await searchIn(['work', [mail, note]], ['messages', [note]]);
  expect(new Set(await find({ queries: ['write to somebody'], category: 'messages' }))).toEqual(
    new Set(['work.send_mail', 'messages.send_note']),
  );
});

test('what may not be seen does not take the place of what may', async () => {
  const { search } = await searchIn(['work', [mail, note]]);
  const found = await search('send', 1, ({ id }) => id !== 'work.send_mail');
  expect(found.map(({ tool }) => tool.id)).toEqual(['work.send_note']);
});

test('a tool with two names is found once', async () => {
  const twin = { ...note, name: 'write_note', sameAs: 'work.send_note' };
  const { find } = await searchIn(['work', [note, mail]], ['other', [twin]]);
  expect(await find('write note')).toEqual(['other.write_note', 'work.send_mail']);
  expect(await find('send note', 1)).toEqual(['work.send_note']);
});

test('no query at all finds nothing', async () => {
  const { find } = await searchIn(['work', [mail]]);
  expect(await find({ queries: [] })).toEqual([]);
});

test('a request that shares nothing with any tool has those as its nearest that most can be asked of', async () => {
  const text = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  });
  const tools = [
    echoTool({ name: 'archive_invoice', description: 'Files it.', parameters: text('number') }),
    echoTool({ name: 'tune_piano', description: 'Makes it sound right.' }),
    echoTool({ name: 'list_pianos', description: 'Has all.', annotations: { readOnlyHint: true } }),
    echoTool({
      name: 'look_up',
      description: 'Knows much.',
      parameters: text('query'),
      annotations: { readOnlyHint: true },
    }),
  ];
  const { search } = await searchIn(['work', tools]);
  const found = await search('zzyzx', 10);
  expect(found.map(({ tool, score, nearest }) => [tool.name, score, nearest])).toEqual([
    ['look_up', 0, true],
    ['list_pianos', 0, true],
    ['archive_invoice', 0, true],
  ]);
  const few = await search({ queries: ['zzyzx'], category: 'work' }, 10, ({ name }) => name !== 'look_up');
  expect(few.map(({ tool }) => tool.name)).toEqual(['list_pianos', 'archive_invoice', 'tune_piano']);
  expect(await search('zzyzx', 1), 'a limit is a limit').toHaveLength(1);
});

test('a number in common is no answer', async () => {
  const { search } = await searchIn([
    'work',
    [echoTool({ name: 'shelve', description: 'One of 3 shelves' })],
  ]);
  for (const request of ['¿cuánto es 3 más 4?', '3'])
    expect((await search(request, 5))[0], request).toMatchObject({ nearest: true });
});

describe('a tool that a request calls by its exact name comes first', () => {
  const read = echoTool({ name: 'read', description: 'Gives the text of a file.' });
  const readers = [
    echoTool({
      name: 'web_read',
      description: 'Reads a page. Read what you read with read.',
      aliases: ['read'],
    }),
    echoTool({ name: 'read_note', description: 'Reads a note: read, read, read.' }),
    echoTool({ name: 'reread', description: 'Reads it again.' }),
  ];
  const gateway = [
    echoTool({ name: 'tracker__create_issue', description: 'Opens one.' }),
    echoTool({ name: 'notes.append', description: 'Writes below.' }),
    echoTool({ name: 'create_issue_comment', description: 'Create an issue comment: create issue.' }),
  ];

  test.each([
    ['read', ['filesystem.read', 'zoo.read']],
    ['Read!', ['filesystem.read', 'zoo.read']],
    ['use the read tool', ['filesystem.read', 'zoo.read']],
    ['append everything with `read`', ['filesystem.read', 'zoo.read']],
    ['zoo.read', ['zoo.read']],
    ['zoo__read', ['zoo.read']],
    ['please call mcp__zoo__read on a page of the web', ['zoo.read']],
    ['zoo read', ['zoo.read']],
    ['create_issue', ['gateway.tracker__create_issue']],
    ['createIssue for the page that web search read', ['gateway.tracker__create_issue']],
    ['read a page, then create_issue_comment', ['gateway.create_issue_comment']],
    ['append', ['gateway.notes.append']],
    ['notes.append', ['gateway.notes.append']],
  ] as const)('%s', async (request, names) => {
    const { find } = await searchIn(
      ['zoo', [read]],
      ['filesystem', [read]],
      ['web', readers],
      ['gateway', gateway],
    );
    const found = await find(request);
    expect(found.slice(0, names.length).toSorted()).toEqual(names);
  });

  test('and words of prose that are one only say that there is an answer', async () => {
    const { search, find } = await searchIn(['web', readers], ['zoo', [read]]);
    expect((await find('read the note on the fridge'))[0]).toBe('web.read_note');
    expect((await search('please read my palm and my stars', 5))[0]).toHaveProperty('nearest');
  });
});
