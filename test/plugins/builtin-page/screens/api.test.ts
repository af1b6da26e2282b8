import { afterAll, beforeAll, expect, test } from 'vitest';
import { gardenFiles } from '../../../kit/web/garden.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage(gardenFiles());
});
afterAll(() => page[Symbol.asyncDispose]());

const names = async (query = ''): Promise<readonly string[]> => {
  const { body } = await page.ask(`screen-rows/garden/plants${query}`);
  return (body as { rows: { name: string }[] }).rows.map(({ name }) => name);
};

test('the screens that plugins declare are in the list, and what the page gets of one names no command', async () => {
  const { body } = await page.ask('screens');
  expect((body as { screens: object[] }).screens).toContainEqual({
    plugin: 'garden',
    screen: 'plants',
    title: 'Garden',
  });
  const { body: view } = await page.ask('screen/garden/plants');
  expect(view).toMatchObject({ kind: 'calendar', key: 'name', hasSearch: true });
  expect(JSON.stringify(view)).not.toContain('garden dig');
});

test('rows, what is found, a detail, a preview and a graph are what the commands print', async () => {
  expect(await names()).toEqual(['Basil', 'Fig', 'Rose']);
  expect(await names('?q=fi')).toEqual(['Fig']);
  const { body: rows } = await page.ask('screen-rows/garden/plants');
  expect(rows).toMatchObject({ note: 'No rain is expected.', entries: [{}, {}, {}] });
  expect(await page.ask('screen-detail/garden/plants?row=Fig')).toMatchObject({
    body: { data: { neighbours: [{ name: 'Basil' }, { name: 'Rose' }] } },
  });
  expect(await page.ask('screen-preview/garden/plants/dig?row=Fig')).toMatchObject({
    body: { data: { goes: [{ what: 'Fig' }, { what: 'the label of Fig' }] } },
  });
  expect(await page.ask('screen-graph/garden/beds')).toMatchObject({
    body: { nodes: [{}, {}, {}], edges: [{ from: 'Basil', to: 'Fig' }, {}] },
  });
});

test.for([
  'screen/garden/nothing',
  'screen/nobody/plants',
  'screen/garden/constructor',
  'screen-rows/garden/beds?q=fig',
  'screen-graph/garden/plants',
  'screen-detail/garden/beds?row=Fig',
  'screen-preview/garden/plants/water?row=Fig',
  'screen-preview/garden/plants/list?row=Fig',
  'screen-rows/builtin-core/memory%20forget',
])('GET %s is declared by nobody: 404', async (path) => {
  expect(await page.ask(path)).toMatchObject({ status: 404 });
});

test.for(['dug', 'garden dig', '__proto__', 'show', 'list'])(
  'the action "%s" is declared by nobody: 404, also with a code',
  async (action) => {
    const session = await page.signIn();
    await page.ask('proof', { body: { code: page.code() }, session });
    const path = `screen-action/garden/plants/${encodeURIComponent(action)}`;
    expect(await page.ask(path, { body: { row: 'Fig' }, session })).toMatchObject({ status: 404 });
    expect(await names()).toContain('Fig');
  },
);

test('an action gets its row and its parameters, which the host checks, and nothing that it does not declare', async () => {
  const water = (parameters: object, row: unknown = 'Fig', more: object = {}) =>
    page.ask('screen-action/garden/plants/water', { body: { row, parameters, ...more } });
  expect(await water({ liters: 3 }, 'Fig', { options: { preview: true }, words: ['Rose'] })).toMatchObject({
    status: 200,
  });
  const { body } = await page.ask('screen-rows/garden/plants?q=fig');
  expect(body).toMatchObject({ rows: [{ name: 'Fig', state: 'fine', water: { liters: 3 } }] });
  expect(await water({})).toMatchObject({
    status: 422,
    body: { error: { code: 'PEG_INVALID_ARGUMENTS', problems: [{ property: 'liters' }] } },
  });
  for (const wrong of [{ liters: 21 }, { liters: '3; rm' }, { liters: 3, preview: true }, { liters: [3] }])
    expect(await water(wrong), JSON.stringify(wrong)).toMatchObject({ status: 422 });
  for (const row of ['', 'a\nb', 'x'.repeat(501), { name: 'Fig' }, ['Fig'], null])
    expect(await water({ liters: 1 }, row), JSON.stringify(row)).toMatchObject({
      status: 422,
      body: { error: { code: 'PEG_USAGE' } },
    });
  expect(await water({ liters: 1 }, 'Oak')).toMatchObject({
    status: 422,
    body: { error: { message: 'There is no plant "Oak" here.' } },
  });
});

test('an action with proof takes a code of the terminal first', async () => {
  const session = await page.signIn();
  const dig = () => page.ask('screen-action/garden/plants/dig', { body: { row: 'Rose' }, session });
  expect(await dig()).toMatchObject({ status: 403, body: { error: { code: 'PROOF_NEEDED' } } });
  expect(await names()).toContain('Rose');
  await page.ask('proof', { body: { code: page.code() }, session });
  expect(await dig()).toMatchObject({ status: 200 });
  expect(await names()).not.toContain('Rose');
});

test('nobody who is not signed in reads or does anything', async () => {
  const stranger = { cookie: '', key: '' };
  expect(await page.ask('screens', { session: stranger })).toMatchObject({ status: 401 });
  expect(
    await page.ask('screen-action/garden/plants/water', { body: { row: 'Fig' }, session: stranger }),
  ).toMatchObject({ status: 401 });
});
