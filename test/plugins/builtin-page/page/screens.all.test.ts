import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, test } from 'vitest';
import { isSoak } from '../../../kit/run/tiers.ts';
import { browsers, until } from '../../../kit/web/browsers.ts';
import type { DrivenTab } from '../../../kit/web/driven.ts';
import type { ServedPage } from '../../../kit/web/served-page.ts';
import { servePageIn, states, type State } from '../../../kit/web/states.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const screens: { readonly [state in State]: readonly string[] } = {
  empty: [
    '/',
    '/tools',
    '/tools/filesystem.read',
    '/servers',
    '/servers/+add',
    '/agents',
    '/agents/personal',
    '/manifests',
    '/manifests/new',
    '/trace',
    '/approvals',
    '/usage',
    '/secrets',
    '/settings',
    '/plugins/builtin-core/schedules',
    '/plugins/builtin-core/watchers',
    '/plugins/builtin-core/memory',
  ],
  busy: [
    '/',
    '/tools',
    '/tools/studio.deploy',
    '/servers',
    '/servers/notes',
    '/servers/drafts',
    '/agents',
    '/agents/studio',
    '/manifests',
    '/manifests/spaces/studio/agent/tools/deploy.md',
    '/trace',
    '/trace/earlier-4',
    '/approvals',
    '/usage',
    '/secrets',
    '/settings',
    '/plugins/builtin-core/schedules',
    '/plugins/builtin-core/schedules/1',
  ],
  broken: [
    '/',
    '/tools',
    '/tools/nothing.here',
    '/servers',
    '/servers/search',
    '/servers/nothing',
    '/agents',
    '/agents/nobody',
    '/manifests',
    '/manifests/nothing.here',
    '/manifests/spaces/work/agent/tools/two.md',
    '/trace',
    '/trace/unknown',
    '/approvals',
    '/plugins/nobody/nothing',
    '/usage/nothing',
    '/secrets',
    '/settings',
  ],
};

/** Firefox is slow to look at a page: it sees the fullest home, and all of them in a soak. */
const statesFor = (browser: string): readonly State[] =>
  browser === 'Firefox' && !isSoak ? ['busy'] : states;

test.for(browsers.flatMap((browser) => statesFor(browser.name).map((state) => ({ ...browser, state }))))(
  'in $name, every screen of a home that is $state is usable by everybody, in both schemes, on a phone',
  async ({ missing, launch, state }, context) => {
    if (missing !== undefined) return context.skip(missing);
    await using page = await servePageIn(state);
    await using browser = await launch();
    const tab = await browser.open(page.link(), { width: 320, height: 720 });
    await isShown(tab);
    await tab.evaluate(`localStorage.setItem('pegboard-look', 'light')`);
    for (const path of screens[state]) {
      await tab.goto(`${page.origin}${path}`);
      await isShown(tab);
      await isUsable(tab, path);
      await isReadableInTheDark(tab, path);
    }
    // What a browser says of an answer that is a failure, such as that of a tool that isn't there.
    const errors = tab.watched.errors.filter((text) => !/status of (?:404|422)/.test(text));
    expect({ ...tab.watched, errors }).toEqual({ errors: [], outside: [] });
    await isUsableWithoutHost(tab, page);
  },
);

/** Its events arrive, and what it has read is there. */
const isShown = (tab: DrivenTab): Promise<void> =>
  until(
    tab,
    `document.querySelector('.connection')?.textContent === 'live' && document.querySelector('h1') && !/Loading…|Checking…/.test(document.body.textContent)`,
  );

async function isUsable(tab: DrivenTab, where: string): Promise<void> {
  expect(await violationsIn(tab), where).toEqual([]);
  const tooWide = await tab.evaluate<readonly unknown[]>(
    `[document.documentElement, ...document.querySelectorAll('main, main *')]
      .filter((one) => !one.closest('pre, .table') && getComputedStyle(one).overflowX !== 'hidden')
      .filter((one) => one.clientWidth > 0 && (one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1))
      .map((one) => one.outerHTML.slice(0, 200))`,
  );
  expect(tooWide, where).toEqual([]);
}

/** The dark scheme has other colours, and nothing else: only what depends on them is looked at again. */
async function isReadableInTheDark(tab: DrivenTab, where: string): Promise<void> {
  await tab.evaluate(`document.documentElement.dataset.look = 'dark'`);
  const colours = { runOnly: ['color-contrast', 'link-in-text-block'] };
  expect(await violationsIn(tab, colours), `${where}, dark`).toEqual([]);
}

async function violationsIn(tab: DrivenTab, options: RunOptions = {}): Promise<readonly unknown[]> {
  if (!(await tab.evaluate<boolean>(`'axe' in globalThis`))) await tab.evaluate(`(() => { ${axe} })()`);
  const given = JSON.stringify({ resultTypes: ['violations'], ...options });
  const { violations } = await tab.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${given}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

/** What is known stays, and says that it may be old. */
async function isUsableWithoutHost(tab: DrivenTab, page: ServedPage): Promise<void> {
  await page.stopServing();
  await until(tab, `document.querySelector('.connection')?.textContent === 'not connected'`);
  for (const path of [
    '/',
    '/tools',
    '/manifests',
    '/servers',
    '/agents',
    '/trace',
    '/approvals',
    '/usage',
    '/secrets',
    '/settings',
    '/plugins/builtin-core/memory',
  ]) {
    await tab.evaluate(`document.querySelector('nav a[href="${path}"]').click()`);
    await until(tab, `document.body.textContent.includes('Not connected')`);
    await isUsable(tab, `${path}, without the host`);
  }
}
