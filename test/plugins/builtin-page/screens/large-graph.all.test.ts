import { expect, test } from 'vitest';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { servePage } from '../../../kit/web/served-page.ts';

const nodes = 2_000;

const files = {
  'pegboard.yaml': 'plugins: { large: { trusted: true } }\n',
  'plugins/large/plugin.yaml': `id: large
version: "1.0.0"
description: Many links
commands:
  large show: { summary: Shows them }
screens:
  all:
    title: Large
    question: What is linked?
    empty: Nothing.
    kind: graph
    list: { command: large show, member: rows }
    columns: [{ member: name, title: Name }]
    graph:
      command: large show
      nodes: { member: nodes, key: id, title: name, group: kind }
      edges: { member: edges, from: from, to: to, title: says }
`,
  'plugins/large/index.ts': `import { definePlugin } from 'pegboard';
const nodes = Array.from({ length: ${nodes} }, (_, id) => ({ id, name: 'Name ' + id, kind: 'kind ' + (id % 5) }));
const edges = nodes.slice(1).flatMap(({ id }) => [
  { from: id, to: Math.floor(id / 3), says: 'follows' },
  ...(id % 4 === 0 ? [{ from: id, to: (id * 31) % ${nodes}, says: 'knows' }] : []),
]);
export default definePlugin({
  setup: () => ({ commands: { 'large show': (call) => call.json({ rows: nodes.slice(0, 3), nodes, edges }) } }),
});
`,
};

test('a graph of 2,000 nodes is placed in slices, between which the page answers', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage(files);
  await using browser = await launchBrowser();
  await using opened = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { tab, watched } = await openTab(opened, page.link());
  await tab.goto(`${page.origin}/plugins/large/all`);
  await tab.getByRole('rowheader').first().waitFor();
  await tab.evaluate(() => {
    const seen = globalThis as unknown as { tasks: number[] };
    seen.tasks = [];
    new PerformanceObserver((list) =>
      seen.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    });
  });
  await tab.getByRole('button', { name: 'Graph' }).click();
  // It answers while it works.
  await tab.getByText(`Placing ${nodes.toLocaleString('en')}`).waitFor();
  await tab.getByLabel('Filter the relations').fill('Name 77 ');
  await tab.getByText('Placing').waitFor();
  await tab.locator('canvas[data-placed=true]').waitFor({ timeout: 60_000 });
  const tasks = await tab.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  console.log(`${nodes} nodes: the longest task took ${Math.round(Math.max(0, ...tasks))} ms`);
  expect(watched).toEqual({ errors: [], outside: [] });
});
