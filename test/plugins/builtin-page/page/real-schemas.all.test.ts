import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../../host/api/result.ts';
import { isSoak, rounds } from '../../../kit/run/tiers.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { fillForm } from '../../../kit/web/fill-form.ts';
import { servePage } from '../../../kit/web/served-page.ts';
import { validValue } from '../../../kit/web/valid-value.ts';
import { knownShapes } from '../../../kit/web/known-shapes.ts';
import { npmServer } from '../../../kit/mcp/mcp-source.ts';
import { echoTool, memorySource } from '../../../kit/source.ts';

test('forms of real schemas each submit a valid value, and say at its field what is wrong', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using folder = await temporaryFolder();
  const mcpServers = {
    everything: { ...npmServer('everything'), trust: true },
    filesystem: { ...npmServer('filesystem', folder.path), trust: true },
    memory: { ...npmServer('memory'), trust: true },
  };
  await using page = await servePage({ 'pegboard.yaml': JSON.stringify({ mcpServers }) }, undefined, {
    mcp: 'connect',
  });
  await expect
    .poll(() => page.host.servers.all.every((server) => server.status().state === 'ready'))
    .toBe(true);
  const real = [...page.host.registry.snapshot.tools.values()].map(({ parameters }) => parameters);
  const schemas: readonly JsonSchema[] = [...real, ...knownShapes].filter(
    ({ properties }) =>
      Object.keys((properties as object | undefined) ?? {}).length > 0 || properties === undefined,
  );
  expect(schemas.length).toBeGreaterThanOrEqual(100);
  // The same schemas on tools that do nothing but to return their arguments.
  await using _source = await page.host.registry.add(
    memorySource(
      schemas.map((parameters, at) => echoTool({ name: `tool-${at}`, parameters })),
      { module: 'shapes' },
    ),
  );
  await using browser = await launchBrowser();
  await using opened = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const { tab, watched } = await openTab(opened, page.link());
  const wrong: unknown[] = [];
  let required = 0;
  // A soak tries all of them, otherwise a third, of each kind some.
  const tried = [...schemas.entries()].filter(([at]) => isSoak || at % 3 === 0);
  for (const [at, schema] of tried) {
    await tab.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/tools/shapes.tool-${at}`);
    const form = tab.locator(`form[aria-label="Try shapes.tool-${at}"]`);
    await form.waitFor();
    const names = (schema['required'] as readonly string[] | undefined) ?? [];
    if (names.length > 0 && !('anyOf' in schema) && !('oneOf' in schema)) {
      await form.getByRole('button', { name: 'Run', exact: true }).click();
      await tab.getByRole('region', { name: 'Result', exact: true }).waitFor();
      // A default may stand for what is required.
      if (
        (await tab.getByRole('region', { name: 'Result', exact: true }).locator('strong').textContent()) ===
        'Failed'
      ) {
        const marked = await form.locator('.hint > .wrong').count();
        const isThere = await tab
          .waitForFunction(() => document.activeElement?.matches('input, select, textarea'))
          .then(
            () => true,
            () => false,
          );
        if (marked === 0 || !isThere) wrong.push({ at, names, marked, isThere });
        required++;
      }
    }
    const value = validValue(schema, schema);
    await fillForm(form, value);
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    const result = tab.getByRole('region', { name: 'Result', exact: true });
    await result.getByText(/^(?:Done|Failed)$/).waitFor();
    await expect.poll(() => form.getByRole('button', { name: 'Run', exact: true }).count()).toBe(1);
    const state = await result.locator('strong').textContent();
    const said = await result.locator('pre, .said').first().textContent();
    if (state !== 'Done') wrong.push({ at, value, said, schema });
  }
  expect(wrong).toEqual([]);
  expect(required).toBeGreaterThan(rounds({ all: 12, soak: 40 }));
  expect(watched).toEqual({ errors: [], outside: [] });
});

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'pegboard-shapes-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
