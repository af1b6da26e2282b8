import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCollection } from '../../../bench/search/collection.ts';
import { indexOf } from '../../../bench/search/ours.ts';
import type { SearchedTool } from '../../../plugins/builtin-search/index/fields.ts';
import type { ToolIndex } from '../../../plugins/builtin-search/index/tool-index.ts';
import { pegboardJson } from '../../kit/cli.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';

const { tools: foreign } = loadCollection(
  join(import.meta.dirname, '../../../bench/search-data/everyday.json'),
);

let home: TestHome;
/** Our own tools, with two of weather beside them, and all of the collection's. */
let few: ToolIndex;
let many: ToolIndex;
beforeAll(async () => {
  home = await createHome();
  const { tools } = await pegboardJson<{ tools: readonly (SearchedTool & { readonly id: string })[] }>(
    ['tools'],
    { home: home.path },
  );
  const own = tools.map(
    (tool) => [tool.id, { ...tool, source: { module: tool.id.split('.')[0]!, description: '' } }] as const,
  );
  const others = [...foreign].map(([id, tool]) => [id, { ...tool, aliases: [] }] as const);
  const weather = others.filter(([id]) => /^weather\.(?:current|forecast)/.test(id));
  few = indexOf(new Map<string, SearchedTool>([...own, ...weather]));
  many = indexOf(new Map<string, SearchedTool>([...own, ...others]));
});
afterAll(() => home[Symbol.asyncDispose]());

test.for([
  ['schedu', /schedule/],
  ['sche', /schedule/],
  ['memo', /memory/],
  ['memor', /memory/],
  ['weath', /weather/],
  ['forec', /forecast/],
  ['remi', /remind/],
  ['datab', /database/],
  ['execut', /exec/],
] as const)('%s finds what begins so', ([beginning, name]) => {
  for (const index of [few, many]) {
    const [first] = index.search(beginning, 5);
    expect(first?.id).toMatch(name);
    expect(first?.nearest).toBeUndefined();
  }
});

test.for([
  'supprime un fich',
  'efface le fich',
  'borra un arch',
  'elimina un arch',
  'lösche eine Dat',
  'entferne Dat',
])('%s means a file', (typed) => {
  for (const index of [few, many]) expect(index.search(typed, 1)[0]?.id).not.toBe('database.drop_table');
  expect(few.search(typed, 1)[0]?.id).toBe('workspace.WsDelete');
});

test.for(['delet', 'delet a fi'])('%s means by a name what it says, and by a synonym only then', (typed) => {
  const named = (id: string, description: string): [string, SearchedTool] => {
    const [module, name] = id.split('.') as [string, string];
    const source = { module, description: '' };
    return [id, { name, description, aliases: [], parameters: { type: 'object' }, source }];
  };
  const index = indexOf(
    new Map([
      named('database.drop_table', 'Deletes a table and all of its rows for good'),
      named('files.delete', 'Removes it'),
      named('mail.delete_message', 'Moves a message to the trash'),
    ]),
  );
  expect(index.search(typed, 5)[0]?.id).toBe('files.delete');
});

test.for(['delet a fi', 'delete a fi', 'remove the fil', 'delete fi'])(
  '%s puts tools for files first, never the one that drops tables',
  (typed) => {
    for (const index of [few, many]) {
      const [first] = index.search(typed, 5);
      expect(first?.id).not.toMatch(/drop|table|row/);
      expect(index.search(typed, 3).some(({ id }) => /file|path|wsdelete/i.test(id))).toBe(true);
    }
  },
);

test.for([
  ['Wie ist das Wetter in Berlin?', /weather/],
  ['Wie wird das Wetter morgen in Hamburg?', /weather/],
  ['Wetterbericht', /weather/],
  ['Wettervorhersage für Berlin', /weather/],
  ['Datenbankabfrage', /database|postgres|sqlite/],
  ['Erinnerungsliste', /remind|schedule/],
  ['Quel temps fait-il à Berlin ?', /weather/],
  ['Prévisions météo pour Lyon', /weather/],
  ['¿Qué tiempo hace en Berlín?', /weather/],
  ['Pronóstico del tiempo en Madrid', /weather/],
] as const)('%s is understood, and certain', ([request, name]) => {
  for (const index of [few, many]) {
    const [first] = index.search(request, 5);
    expect(first?.id).toMatch(name);
    expect(first?.nearest, request).toBeUndefined();
  }
});

test('a beginning in a sentence, or of a word that no name has, makes nothing certain', () => {
  for (const request of ['xylo', 'I like to memor poems by heart'])
    expect(few.search(request, 3).every(({ nearest }) => nearest === true)).toBe(true);
});
