import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { manifest } from '../../kit/homes/home.ts';
import { launchBrowser, noBrowser, openTab } from '../../kit/web/chromium.ts';
import { servePage } from '../../kit/web/served-page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const hostile = '<img src=x onerror=alert(1)><script>fetch("https://evil.example")</script>';

test('every screen is usable by everybody, loads nothing from elsewhere, and runs no text', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage({
    'spaces/work/agent/tools/say.md': manifest(
      'say',
      `parameters: [{ name: text, type: string, required: true, description: '${hostile}' }]\ncommand: echo {{text}}`,
      hostile,
    ),
  });
  await using browser = await launchBrowser();
  for (const colorScheme of ['light', 'dark'] as const) {
    await using opened = await browser.newContext({ colorScheme, viewport: { width: 320, height: 700 } });
    const { tab, watched } = await openTab(opened, page.link());
    for (const path of ['/', '/tools', '/tools/work.say', '/trace', '/approvals']) {
      await tab.goto(`${page.origin}${path}`);
      await tab.getByRole('heading').first().waitFor();
      await tab.evaluate(axe);
      const { violations } = await tab.evaluate(() =>
        (globalThis as unknown as { readonly axe: { run(): Promise<AxeResults> } }).axe.run(),
      );
      expect(
        violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
        `${path}, ${colorScheme}`,
      ).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(320);
    }
    expect(watched).toEqual({ errors: [], outside: [] });
  }
});
