import { launchBrowser, noBrowser, watch } from './chromium.ts';
import type { DrivenBrowser, DrivenTab } from './driven.ts';
import { launchFirefox, noFirefox } from './firefox.ts';

interface Kind {
  readonly name: string;
  /** Why it can't be started here: the reason for skipping a test. */
  readonly missing: string | undefined;
  /** `names` lead to this machine, as a name does that somebody has bound to it. */
  readonly launch: (names?: readonly string[]) => Promise<DrivenBrowser>;
}

export const browsers: readonly Kind[] = [
  { name: 'Chromium', missing: noBrowser, launch: launchChromium },
  { name: 'Firefox', missing: noFirefox, launch: launchFirefox },
];

async function launchChromium(names: readonly string[] = []): Promise<DrivenBrowser> {
  const browser = await launchBrowser(names);
  const context = await browser.newContext();
  return {
    async open(url, { width = 1280, height = 800 } = {}) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      const watched = watch(page, new URL(url).origin);
      await page.goto(url);
      return {
        watched,
        goto: async (to) => void (await page.goto(to)),
        evaluate: async <T>(expression: string) =>
          JSON.parse(
            await page.evaluate<string>(`(async () => JSON.stringify([await (${expression})]))()`),
          )[0] as T,
        press: (key) => page.keyboard.press(key),
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Waits until the expression is true in the tab. */
export async function until(tab: DrivenTab, expression: string, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await tab.evaluate<boolean>(`Boolean(${expression})`))) {
    if (Date.now() > end) throw new Error(`It never became true: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
