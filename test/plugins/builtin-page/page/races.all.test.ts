import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pegboard } from '../../../kit/cli.ts';
import { manifest } from '../../../kit/homes/home.ts';
import { rounds } from '../../../kit/run/tiers.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { servePage } from '../../../kit/web/served-page.ts';

const races = rounds({ all: 8, soak: 100 });

test('of two tabs, a terminal and Telegram one answers, and the others say who', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage({
    'spaces/work/agent/tools/note.md': manifest(
      'note',
      'parameters: [{ name: text, type: string, required: true }]\ncommand: "echo {{text}} >> notes"\nconfirm: true',
    ),
  });
  await using browser = await launchBrowser();
  await using one = await browser.newContext();
  await using two = await browser.newContext();
  const [first, second] = [await openTab(one, page.link()), await openTab(two, page.link())].map(
    ({ tab }) => tab,
  ) as [Page, Page];
  for (const tab of [first, second]) await tab.goto(`${page.origin}/approvals`);
  for (let race = 0; race < races; race++) {
    const text = `race-${race}`;
    const called = page.ask('call', { body: { tool: 'work.note', args: { text } } });
    const card = (tab: Page): ReturnType<Page['locator']> =>
      tab.locator('article.question').filter({ hasText: text });
    await Promise.all([first, second].map((tab) => card(tab).waitFor()));
    const id = (await page.host.questions.list())[0]!.id;
    const click = (tab: Page, name: string): Promise<unknown> =>
      // The button is gone where another answer was first.
      card(tab)
        .getByRole('button', { name, exact: true })
        .click({ timeout: 1_500 })
        .catch(() => undefined);
    const answers = [
      () => click(first, 'Allow once'),
      () => click(second, 'Deny'),
      () => page.host.questions.answer(id, { decision: 'once', by: 'Anna (@anna), Telegram' }),
      // A process needs a moment to start: sometimes it is alone.
      ...(race % 4 === 0
        ? [() => pegboard(['approvals', 'deny', String(id), '--yes'], { home: page.home.path })]
        : []),
    ];
    // Another one begins each time.
    for (let at = 0; at < race % answers.length; at++) answers.push(answers.shift()!);
    await Promise.all(answers.map((answer) => answer()));
    const decided = await page.host.questions.decided(id);
    const verdicts = await Promise.all(
      [first, second].map((tab) =>
        card(tab)
          .getByRole('status')
          .filter({ hasText: / (?:by|in) / })
          .textContent(),
      ),
    );
    const isDenied = decided!.decision === 'no';
    for (const verdict of verdicts) expect(verdict).toMatch(isDenied ? /^Denied / : /^Allowed once /);
    const byYou = verdicts.filter((verdict) => verdict!.includes('by you'));
    expect(byYou).toHaveLength(decided!.by === 'the page' ? 1 : 0);
    if (decided!.by.includes('Telegram'))
      for (const verdict of verdicts) expect(verdict).toContain('by Anna (@anna), Telegram');
    if (decided!.by === 'pegboard approvals')
      for (const verdict of verdicts) expect(verdict).toContain('in a terminal');
    // The call does what was decided, and about what was shown.
    expect((await called).body).toMatchObject({ ok: !isDenied });
    const notes = await page.home.read('spaces/work/notes').catch(() => '');
    expect(notes.includes(`${text}\n`)).toBe(!isDenied);
    for (const tab of [first, second]) await card(tab).getByRole('button', { name: 'Dismiss' }).click();
  }
});
