import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCollection } from '../../../bench/search/collection.ts';
import { indexOf } from '../../../bench/search/ours.ts';
import type { SearchedTool } from '../../../plugins/builtin-search/index/fields.ts';
import { translate } from '../../../plugins/builtin-search/ranking/languages/translate.ts';
import type { ToolIndex } from '../../../plugins/builtin-search/index/tool-index.ts';
import { pegboardJson } from '../../kit/cli.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';

interface Request {
  readonly language: string;
  readonly query: string;
  readonly relevant: readonly string[];
  readonly set: 'tuned' | 'aside';
}

const data = join(import.meta.dirname, '../../../bench/search-data');
const { requests } = JSON.parse(readFileSync(join(data, 'languages.json'), 'utf8')) as {
  readonly requests: readonly Request[];
};
const { requests: ownRequests } = JSON.parse(readFileSync(join(data, 'own-home.json'), 'utf8')) as {
  /** Without relevant tools: nothing in a home with only our own tools does it. */
  readonly requests: readonly Request[];
};
const { tools: foreign, queries } = loadCollection(join(data, 'everyday.json'));

let home: TestHome;
let index: ToolIndex;
/** Of our own tools alone. */
let ownIndex: ToolIndex;
beforeAll(async () => {
  home = await createHome();
  const { tools } = await pegboardJson<{
    readonly tools: readonly (SearchedTool & { readonly id: string })[];
  }>(['tools'], { home: home.path });
  const own = tools
    .filter(({ id }) => !id.startsWith('meta.'))
    .map(
      (tool) => [tool.id, { ...tool, source: { module: tool.id.split('.')[0]!, description: '' } }] as const,
    );
  ownIndex = indexOf(new Map<string, SearchedTool>(own));
  const others = [...foreign].map(([id, tool]) => [`foreign.${id}`, { ...tool, aliases: [] }] as const);
  index = indexOf(new Map<string, SearchedTool>([...own, ...others]));
});
afterAll(() => home[Symbol.asyncDispose]());

const isFound = ({ query, relevant }: Request): boolean =>
  index.search(query, 5).some(({ id, nearest }, place) => {
    const isShown = !nearest || place < 3;
    return isShown && relevant.some((name) => id === name || id.endsWith(`.${name}`));
  });
const shareOf = (some: readonly Request[]): number => (100 * some.filter(isFound).length) / some.length;

test('there are enough requests to judge by', () => {
  for (const set of ['tuned', 'aside'] as const) {
    const some = requests.filter((request) => request.set === set);
    expect(some.length).toBeGreaterThanOrEqual(60);
    expect(new Set(some.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6);
  }
});

test('requests in other languages find our own tools and foreign ones, without aliases or embeddings', () => {
  expect(shareOf(requests.filter(({ set }) => set === 'tuned'))).toBeGreaterThanOrEqual(90);
  expect(shareOf(requests.filter(({ set }) => set === 'aside'))).toBeGreaterThanOrEqual(80);
});

test.each(['de', 'fr', 'es', 'zh', 'ja', 'ru', 'pt', 'hi', 'ar', 'bn', 'id'])(
  '%s is found most of the time',
  (language) => {
    expect(shareOf(requests.filter((request) => request.language === language))).toBeGreaterThanOrEqual(65);
  },
);

test('what is English is not read as anything else', () => {
  const english = queries.filter(({ group, relevant }) => group === 'keywords' && relevant.length > 0);
  const found = english.filter(({ text, relevant }) =>
    index.search(text, 5).some(({ id }) => relevant.flat().includes(id.replace('foreign.', ''))),
  );
  expect(found.length / english.length).toBeGreaterThan(0.97);
  expect(
    queries.filter(({ group, text }) => group !== 'language' && translate(text, () => false)),
  ).toHaveLength(1);
});

const { phrases } = JSON.parse(readFileSync(join(data, 'parallel.json'), 'utf8')) as {
  readonly phrases: readonly {
    readonly set: 'tuned' | 'aside';
    readonly en: string;
    readonly others: { readonly [language: string]: string };
  }[];
};
/** The same tool under two ids. */
const twins: Readonly<Record<string, string>> = {
  'core.memory_store': 'memory.remember',
  'core.memory_recall': 'memory.recall',
  'core.memory_forget': 'memory.forget',
  'core.schedule_cancel': 'scheduler.cancel_schedule',
};
const firstFor = (query: string): string | undefined => {
  const id = ownIndex.search(query, 1)[0]?.id;
  return id === undefined ? undefined : (twins[id] ?? id);
};

test.each([
  ['tuned', 98],
  ['aside', 78],
] as const)('a phrase has the same first tool as in English: %s', (set, least) => {
  const asked = phrases
    .filter((phrase) => phrase.set === set)
    .flatMap(({ en, others }) => Object.values(others).map((query) => ({ en, query })));
  expect(asked.length).toBeGreaterThan(150);
  const same = asked.filter(({ en, query }) => firstFor(query) === firstFor(en));
  expect((100 * same.length) / asked.length).toBeGreaterThanOrEqual(least);
});

test.each(['Datei lesen', 'lire un fichier', 'ler arquivo', 'прочитать файл', '读取文件', '파일 읽기'])(
  '"%s" reads a file, and the tools that only share a name come behind',
  (query) => {
    expect(ownIndex.search(query, 2).map(({ id }) => id)).toEqual(['filesystem.read', 'workspace.WsRead']);
  },
);

test.each([
  'show me the contents of notes.txt',
  'look at config.json',
  'what does todo.md say?',
  'see the first lines of server.log',
  'look at src/index.ts',
  'show me the contents of the file',
  'schau dir config.json an',
  'montre-moi le contenu de notes.txt',
])('"%s" is a request to read', (query) => {
  const [first, second] = ownIndex.search(query, 2);
  expect([first, second].map((hit) => hit!.id).toSorted()).toEqual(['filesystem.read', 'workspace.WsRead']);
  expect(first).not.toHaveProperty('nearest');
});

test.each([
  ['delete notes.txt', 'WsDelete'],
  ['find every TODO in main.py', 'grep'],
  ['watch config.json', 'watch_start'],
])('"%s" is none', (query, tool) => {
  expect(ownIndex.search(query, 1)[0]!.id).toMatch(new RegExp(`${tool}$`, 'i'));
});

/**
 * Whether search in a home with our own tools finds a certain match where there is a tool, and none where there isn't.
 */
const isToldRight = ({ query, relevant }: Request): boolean => {
  const hits = ownIndex.search(query, 5);
  const isSure = hits.length > 0 && !hits[0]!.nearest;
  return relevant.length === 0 ? !isSure : isSure && hits.some(({ id }) => relevant.includes(id));
};

test.each([
  ['tuned', 95, 95],
  ['aside', 75, 88],
] as const)('a home of our own tools knows what it has and has not: %s', (set, there, missing) => {
  const some = ownRequests.filter((request) => request.set === set);
  const share = (of: readonly Request[]): number => (100 * of.filter(isToldRight).length) / of.length;
  expect(share(some.filter(({ relevant }) => relevant.length > 0))).toBeGreaterThanOrEqual(there);
  expect(share(some.filter(({ relevant }) => relevant.length === 0))).toBeGreaterThanOrEqual(missing);
});

test.each(['lance npm install dans le terminal', '在终端里运行 npm install', 'quel temps fait-il à Paris'])(
  '"%s" is not English, whatever English words are in it',
  (text) => {
    expect(translate(text, () => false)).toBeDefined();
  },
);

test.each(['auto pilot for a tractor', 'what does 你好 mean in English', 'order a table at Le Bernardin'])(
  '"%s" is English',
  (text) => {
    expect(translate(text, () => false)).toBeUndefined();
  },
);

test('the command finds in another language too', async () => {
  const found = await pegboardJson<{ readonly id: string; readonly nearest?: true }[]>(
    ['search', 'Lies', 'die', 'Datei', 'notizen.txt'],
    { home: home.path },
  );
  expect(['filesystem.read', 'workspace.WsRead']).toContain(found[0]!.id);
  expect(found[0]).not.toHaveProperty('nearest');
});
