import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Tool } from '../../../../host/api/tool.ts';
import { findHidden } from '../../../../host/core/foreign/hidden-characters.ts';
import { echoTool, memorySource } from '../../../kit/source.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { expectOnlyTexts, hostileTexts as texts, watchForExecution } from '../../../kit/web/hostile-texts.ts';
import { sayingPlugin } from '../../../kit/web/saying-plugin.ts';
import { servePage } from '../../../kit/web/served-page.ts';

/** Where each of them is shown. */
const places =
  'title description documentation origin parameter choice default arguments text link resource picture sound structured failure trace row calendar detail preview graph'.split(
    ' ',
  );

/** Those that a file of settings can hold. */
const writable = texts.filter((text) => findHidden(text) === undefined && text !== '__proto__');

/** As names of settings and in their values, some of which name a secret. */
const settings = `presets: ${JSON.stringify(
  Object.fromEntries(
    writable.map((text) => [text, { description: `\${SOME_TOKEN:-x} ${withoutReferences(text)}` }]),
  ),
)}\n`;

/** What begins like a reference to a variable has to be one. */
function withoutReferences(text: string): string {
  return text.replaceAll('${', '$ {');
}

/** Names of settings, of what uses a secret, and the text of their file. */
async function lookAtSettings(tab: Page): Promise<void> {
  await tab.locator('nav a[href="/secrets"]').click();
  const secret = tab.locator('.secrets > li', { hasText: 'SOME_TOKEN' });
  await secret.getByRole('button', { name: /^Show all/ }).click();
  await expect.poll(() => secret.locator('.uses li').count()).toBe(writable.length);
  await tab.locator('nav a[href="/settings"]').click();
  await expect.poll(() => tab.locator('.set > div').count()).toBeGreaterThan(writable.length);
  await tab.locator('li', { hasText: 'pegboard.local.yaml' }).getByText('Its text').click();
  await tab.getByRole('button', { name: 'Show all' }).click();
  await tab.locator('pre.whole').waitFor();
}

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
  // Settings: names, values, the file, and what uses a secret.
  const shown = texts.length * places.length + writable.length * 4;
  expect(shown).toBeGreaterThanOrEqual(500);
  await using page = await servePage({
    ...sayingPlugin(texts),
    'pegboard.local.yaml': settings,
    'spaces/work/agent/tools/broken.md': `---\n${JSON.stringify({ id: texts[0], [texts[1]!]: texts[2] })}\n---\n`,
  });
  await using _source = await page.host.registry.add(
    memorySource(texts.map(sayingTool), { module: 'theirs', origin: texts[0]! }),
  );
  await page.host.secrets.set('SOME_TOKEN', 'k9Zq-3vXw-7Rty', 'owner');
  await using browser = await launchBrowser();
  await using opened = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const { tab, watched } = await openTab(opened, page.link());
  await watchForExecution(tab);
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
  await lookAtSettings(tab);
  const longest = await expectOnlyTexts(tab, watched);
  console.log(`${shown} texts, the longest task took ${Math.round(longest)} ms`);
});
