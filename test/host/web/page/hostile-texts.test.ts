import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Tool } from '../../../../host/api/tool.ts';
import { isSoak } from '../../../kit/soak.ts';
import { echoTool, memorySource } from '../../../kit/source.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { sayingPlugin } from '../../../kit/web/saying-plugin.ts';
import { servePage } from '../../../kit/web/served-page.ts';

const act = 'globalThis.executed=1;fetch("https://evil.example/")';
const elements = [
  'img src=x',
  'svg',
  'body',
  'video src=x',
  'audio src=x',
  'input autofocus',
  'details open',
  'iframe',
  'object data=x',
  'marquee',
];
const events = [
  'onerror',
  'onload',
  'onfocus',
  'ontoggle',
  'onstart',
  'onmouseover',
  'onanimationstart',
  'onbegin',
];
const schemes = [
  'javascript:',
  'JaVaScRiPt:',
  ' javascript:',
  'java\tscript:',
  'data:text/html,',
  'vbscript:',
  '//evil.example/',
  'file:///',
  'blob:',
  '\u0001javascript:',
];

/** In a soak each with each, otherwise a third of these pairs, in which every row and every form occurs. */
const pairs = (rows: readonly string[], forms: readonly ((row: string) => string)[]): readonly string[] =>
  rows.flatMap((row, at) => forms.filter((_, of) => isSoak || (at + of) % 3 === 0).map((form) => form(row)));

/** What would run, load something, break the layout or take long if a text were more than a text. */
const texts: readonly string[] = [
  ...pairs(
    elements,
    events.map((event) => (element) => `<${element} ${event}='${act}'>`),
  ),
  ...pairs(schemes, [
    (scheme) => `[a](${scheme}${act})`,
    (scheme) => `![a](${scheme}${act})`,
    (scheme) => `<${scheme}${act}>`,
    (scheme) => `[a]: ${scheme}${act}\n\n[a]`,
    (scheme) => `<a href="${scheme}${act}">a</a>`,
    (scheme) => `<form action="${scheme}${act}"><button>a</button></form>`,
  ]),
  ...[
    '"',
    "'",
    '`',
    '</script>',
    '-->',
    ']]>',
    '</style>',
    '</title>',
    '</textarea>',
    '${',
    '{{',
    '</pre>',
    '&lt;',
  ].flatMap((end) => [
    `${end}<script>${act}</script>`,
    `${end} onload=${act} x=`,
    `${end}<style>@import "https://evil.example/";</style>`,
  ]),
  ...[
    'link rel=stylesheet href',
    'link rel=prefetch href',
    'base href',
    'img src',
    'iframe src',
    'embed src',
    'meta http-equiv=refresh content="0;url',
    'source src',
    'track src',
    'image href',
    'use href',
  ].map((loading) => `<${loading}="https://evil.example/x">`),
  '![](https://evil.example/pixel.png)',
  '# \u202Eesrever\u202C \u200B\u2066',
  'a\u0301\u0302\u0303'.repeat(3_000),
  '\u{E0041}\u{E0042}'.repeat(500),
  `${'> '.repeat(400)}deep`,
  `${'- '.repeat(300)}deep`,
  `${'['.repeat(2_000)}x${']'.repeat(2_000)}`,
  `${'*'.repeat(3_000)}x`,
  `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'|b'.repeat(500)}|`,
  'x'.repeat(50_000),
  '\n'.repeat(5_000),
  '\u0000\u0007\u001B[31mred\u001B]8;;https://evil.example\u0007',
  '__proto__',
  'constructor',
];

/** Where each of them is shown. */
const places =
  'title description documentation origin parameter choice default arguments text link resource picture sound structured failure trace row calendar detail preview graph'.split(
    ' ',
  );

/** A tool of somebody else that says it wherever it can. */
const sayingTool = (text: string, at: number): Tool =>
  echoTool({
    name: `hostile-${at}`,
    title: text,
    description: text,
    documentation: text,
    origin: text,
    parameters: {
      type: 'object',
      properties: {
        [text.slice(0, 50)]: { type: 'string', description: text, default: text },
        choice: { enum: [text, 'b'], title: text },
      },
    },
    execute: () => {
      if (at % 4 === 3) throw new Error(text);
      return {
        content: [
          { type: 'text', text },
          { type: 'resource_link', uri: text, name: text },
          { type: 'resource', resource: { uri: text, text } },
          { type: 'image', data: text, mimeType: at % 2 === 0 ? 'image/png' : 'image/svg+xml' },
          { type: 'audio', data: text, mimeType: `audio/${text}` },
        ],
        structured: { [text]: text },
      };
    },
  });

/** The rows, one of them and what can be done to it, the calendar and the graph. */
async function lookAtScreensOfPlugins(tab: Page): Promise<void> {
  await tab.locator('nav a[href="/plugins/theirs/calendar"]').click();
  await tab.getByRole('rowheader').nth(90).waitFor();
  await tab.getByRole('button', { name: 'Calendar' }).click();
  await tab.getByText(/^and \d+ more$/).waitFor();
  await tab.getByRole('button', { name: 'List' }).click();
  await tab.getByRole('rowheader').getByRole('link').nth(20).click();
  await tab.locator('article .acts button').click();
  await tab.locator('form.ask li').nth(45).waitFor();
  await tab.locator('nav a[href="/plugins/theirs/graph"]').click();
  await tab.getByRole('button', { name: 'Graph', exact: true }).click();
  await tab.locator('canvas[data-placed=true]').waitFor();
}

test('500 hostile texts, wherever a text of somebody else is shown, are texts', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  const shown = texts.length * places.length;
  expect(shown).toBeGreaterThanOrEqual(500);
  await using page = await servePage({
    ...sayingPlugin(texts),
    'spaces/work/agent/tools/broken.md': `---\n${JSON.stringify({ id: texts[0], [texts[1]!]: texts[2] })}\n---\n`,
  });
  await using _source = await page.host.registry.add(
    memorySource(texts.map(sayingTool), { module: 'theirs', origin: texts[0]! }),
  );
  await using browser = await launchBrowser();
  await using opened = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const { tab, watched } = await openTab(opened, page.link());
  await tab.evaluate(() => {
    const seen = globalThis as unknown as { longest: number; reports: string[] };
    seen.longest = 0;
    seen.reports = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: 'longtask' });
    addEventListener('securitypolicyviolation', ({ blockedURI }) => seen.reports.push(blockedURI));
  });
  const tools = [...page.host.registry.snapshot.tools.keys()].filter((id) => id.includes('hostile-'));
  expect(tools.length).toBe(texts.length);
  for (const id of tools) {
    await tab.evaluate(
      (path) => {
        history.pushState(null, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
      },
      `/tools/${encodeURIComponent(id)}`,
    );
    await tab.locator(`article[aria-label="${id}"]`).waitFor();
    await tab.getByRole('button', { name: 'Run', exact: true }).click();
    await tab.getByRole('region', { name: 'Result', exact: true }).first().waitFor();
    await tab.getByRole('button', { name: 'Markdown' }).click();
  }
  await expect.poll(() => tab.evaluate(() => document.querySelectorAll('article').length)).toBe(1);
  for (const path of ['/', '/manifests', '/trace', '/approvals']) {
    await tab.locator(`nav a[href="${path}"]`).click();
    await tab.locator('h1').first().waitFor();
  }
  await lookAtScreensOfPlugins(tab);
  const seen = await tab.evaluate(() => {
    const { longest, reports, executed } = globalThis as unknown as {
      readonly longest: number;
      readonly reports: readonly string[];
      readonly executed?: number;
    };
    return { longest, reports, executed };
  });
  console.log(`${shown} texts, the longest task took ${Math.round(seen.longest)} ms`);
  expect(seen).toMatchObject({ reports: [], executed: undefined });
  expect(watched).toEqual({ errors: [], outside: [] });
  // No element that this page does not make itself.
  expect(
    await tab
      .locator('script:not([src^="/"]), iframe, object, embed, form[action], base, style, meta[http-equiv]')
      .count(),
  ).toBe(0);
});
