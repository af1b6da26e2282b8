import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Why no browser can be started here: the reason for skipping a test. */
export const noBrowser: string | undefined =
  program === undefined ? 'no Chromium is installed (Debian: apt-get install chromium)' : undefined;

/** Close it at the end. `names` lead to this machine. */
export const launchBrowser = (names: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: program!,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
      ...(names.length > 0
        ? [`--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(', ')}`]
        : []),
    ],
  });

/** What a page must never do, noted from the moment on that it is opened. */
export interface Watched {
  /** Errors in its console and exceptions, reports of its security policy among them. */
  readonly errors: readonly string[];
  /** Requests to anywhere but its own origin. */
  readonly outside: readonly string[];
}

/** Opens the link in a new tab, and waits until the page is signed in. */
export async function openTab(
  context: BrowserContext,
  link: string,
): Promise<{ readonly tab: Page; readonly watched: Watched }> {
  const tab = await context.newPage();
  const watched = watch(tab, new URL(link).origin);
  await tab.goto(link);
  await tab.getByRole('navigation').first().waitFor();
  return { tab, watched };
}

export function watch(tab: Page, origin: string): Watched {
  const errors: string[] = [];
  const outside: string[] = [];
  tab.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  tab.on('pageerror', (error) => errors.push(error.message));
  tab.on('request', (request) => {
    if (isOutside(request.url(), origin)) outside.push(request.url());
  });
  return { errors, outside };
}

/** Whether a request leaves the origin. */
export function isOutside(address: string, origin: string): boolean {
  const url = new URL(address);
  return url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:';
}
