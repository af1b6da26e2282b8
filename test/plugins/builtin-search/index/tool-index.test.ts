import { expect, test } from 'vitest';
import type { SearchedTool } from '../../../../plugins/builtin-search/index/fields.ts';
import { createToolIndex, type ToolIndex } from '../../../../plugins/builtin-search/index/tool-index.ts';

const tool = (name: string, description: string, parts: Partial<SearchedTool> = {}): SearchedTool => ({
  name,
  description,
  parameters: { type: 'object' },
  source: { module: 'test', description: '' },
  ...parts,
});

const tools: Readonly<Record<string, SearchedTool>> = {
  issue: tool('create_issue', 'Open a new issue in a repository.'),
  pulls: tool('listPullRequests', 'Pull requests with author and branch.'),
  mail: tool('send_email', 'Sends a mail.', { aliases: ['E-Mail senden', '发邮件'] }),
  weather: tool('current_weather', 'Temperature, wind and rain at a place now.'),
  flight: tool('flight_status', 'Whether a flight is late, and its gate.'),
  refund: tool('create_refund', 'Gives money back for a payment.'),
  disk: tool('usage', 'Free space.', {
    parameters: { type: 'object', properties: { partition: { description: 'Mounted volume' } } },
  }),
  engine: tool('set_mode', 'Changes how it runs.', {
    parameters: { type: 'object', properties: { mode: { enum: ['turbo', 'eco'] } } },
  }),
  photo: tool('resize', 'Changes width and height.', {
    category: 'pictures',
    tags: ['thumbnail'],
    icon: 'camera',
  }),
  which: tool('which', 'Where a program is installed.'),
  translate: tool('convert', 'From one language to another.', { examples: [{ input: { text: 'bonjour' } }] }),
};

function indexOf(ids: readonly string[] = Object.keys(tools)): ToolIndex {
  const index = createToolIndex();
  for (const id of ids) index.add(id, tools[id]!);
  return index;
}

const first = (text: string, index = indexOf()): string | undefined => index.search(text, 5)[0]?.id;

test.each([
  ['create issue', 'issue', 'a name, split into words'],
  ['list pull requests', 'pulls', 'a name in camel case'],
  ['pullrequests', 'pulls', 'words run together'],
  ['emailing', 'mail', 'another ending'],
  ['wether curent', 'weather', 'slips of the finger'],
  ['flihgt', 'flight', 'swapped letters'],
  ['refu', 'refund', 'the beginning of a word'],
  ['E-Mail senden', 'mail', 'an alias'],
  ['发邮件给老板', 'mail', 'an alias in a language without spaces'],
  ['Bitte eine E-Mail senden an Anna', 'mail', 'an alias among the small words of its language'],
  ['mounted volume', 'disk', "a parameter's description"],
  ['partition', 'disk', "a parameter's name"],
  ['turbo', 'engine', 'a choice of an enum'],
  ['thumbnail', 'photo', 'a tag'],
  ['pictures', 'photo', 'the category'],
  ['camera', 'photo', 'the icon'],
  ['bonjour', 'translate', 'an example'],
  ['reimburse the payment', 'refund', 'a synonym'],
  ['which', 'which', 'a name that is a word which says nothing'],
])('"%s" finds %s: %s', (text, id) => {
  expect(first(text)).toBe(id);
});

test('a long spoken request finds what its keywords find', () => {
  const spoken =
    'Hey, we are driving to the airport with the kids right now. Could you please check whether the flight is going to be late? Thanks a lot!';
  expect(first(spoken)).toBe('flight');
});

/** Tools that certainly match. */
const sure = (text: string, index = indexOf()): string[] =>
  index
    .search(text, 5)
    .filter(({ nearest }) => !nearest)
    .map(({ id }) => id);

test.each(['brew espresso', 'play chess', 'sudoku', 'xyzzy plugh', 'asdfgh', '???', '', 'what is this'])(
  'nothing does "%s", so what is found is only the nearest, if anything',
  (text) => {
    expect(sure(text)).toEqual([]);
  },
);

test.each([
  'Book a luxury room',
  'Could you please order a large pizza with mushrooms for tonight?',
  "I've been feeling down lately, can you suggest some relaxing music for the evening?",
  'Remove the wasp nest under our roof',
])('a few tools do not make "%s" look like something that they do', (text) => {
  expect(sure(text)).toEqual([]);
});

test('an action alone is no answer when there is no tool for its object', () => {
  expect(sure('create sculpture marble')).toEqual([]);
});

test('the nearest are named as such, and keep their order', () => {
  const hits = indexOf().search(
    'bake croissants, marmalade muffins and pancakes, whatever the height of the oven',
    5,
  );
  expect(hits[0]).toMatchObject({ id: 'photo', nearest: true, score: 1 });
  expect(hits.every(({ nearest }) => nearest)).toBe(true);
});

test.each([
  ['github', 'a server alone'],
  ['polish the silver candlesticks with gitHub', 'a server among words that no tool knows'],
  ['polish_candles for the silver wedding on the terrace, will you', 'a name as it is written'],
  ['would you polish candles for the silver wedding on the terrace', 'a name in words'],
  ['which', 'a name that says nothing'],
])('"%s" is always answered: %s', (text) => {
  const index = indexOf();
  const source = { module: 'git-hub', description: '' };
  index.add('named', tool('polish_candles', 'Does something else.', { source }));
  expect(sure(text, index)).not.toEqual([]);
});

test('a name that may not be found answers nothing', () => {
  const index = indexOf();
  index.add('named', tool('polish_candles', 'Does something else.'));
  const found = index.search('polish candles', 5, { admit: (id) => id !== 'named' });
  expect(found.filter(({ nearest }) => !nearest)).toEqual([]);
});

test.each([
  [['github create issue', 'repository'], 'issue'],
  [['weather', 'temperature, wind and rain'], 'weather'],
])('several queries are parts of one request: %j', (queries, id) => {
  expect(indexOf().search(queries, 5)[0]?.id).toBe(id);
  expect(indexOf().search(queries.join(' '), 5)[0]?.id).toBe(id);
});

test('of several queries one that is answered is enough', () => {
  const found = indexOf().search(['send email', 'brew espresso'], 5);
  expect(found[0]).toMatchObject({ id: 'mail', score: 1 });
  expect(found[0]).not.toHaveProperty('nearest');
});

test('the best scores 1, and the order is by score', () => {
  const scores = indexOf()
    .search('create issue', 5)
    .map(({ score }) => score);
  expect(scores[0]).toBe(1);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test('equals are ordered by their ids, however they came in', () => {
  const twin = tool('twin', 'The same text.');
  const orders = [
    ['b', 'a', 'c'],
    ['c', 'b', 'a'],
  ].map((ids) => {
    const index = createToolIndex();
    for (const id of ids) index.add(id, twin);
    return index.search('twin', 2).map(({ id }) => id);
  });
  expect(orders).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

test('after tools came and went, answers are exactly those of a fresh index', () => {
  const changed = indexOf();
  for (const id of ['mail', 'weather', 'issue']) changed.remove(id);
  changed.add('extra', tool('weather_radio', 'A station that reads the forecast.'));
  for (const id of ['issue', 'weather', 'mail']) changed.add(id, tools[id]!);
  changed.remove('extra');
  for (const text of ['create issue', 'wether', 'send a mail', 'refund for a payment', 'radio station']) {
    expect(changed.search(text, 5), text).toEqual(indexOf().search(text, 5));
  }
});

test('a tool that went is found no more, nor are its words mistaken for known ones', () => {
  const index = indexOf();
  index.remove('flight');
  expect(sure('flight', index)).toEqual([]);
  expect(sure('flihgt', index)).toEqual([]);
});
