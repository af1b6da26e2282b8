/**
 * `node tools/page-images.ts`: pictures of the page's main screens, light and dark, into docs/images. They show a home
 * that is made for them, so that they stay true and say nothing of whoever makes them.
 */
import { statSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../host/core/files/paths.ts';
import { launchBrowser, noBrowser, openTab } from '../test/kit/web/chromium.ts';
import { servePageIn } from '../test/kit/web/states.ts';

if (noBrowser !== undefined) {
  console.error(`The images can't be made: ${noBrowser}.`);
  process.exit(1);
}

const screens: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['tools', '/tools/studio.deploy'],
  ['trace', '/trace'],
  ['approvals', '/approvals'],
  ['manifests', '/manifests/spaces/studio/agent/tools/deploy.md'],
  ['agents', '/agents/studio'],
  ['usage', '/usage'],
  ['secrets', '/secrets'],
];
const maxBytes = 160 * 1024;

const folder = join(packageRoot, 'docs/images');
await mkdir(folder, { recursive: true });
// What this process notes of the home it makes.
process.env['XDG_STATE_HOME'] = await mkdtemp(join(tmpdir(), 'pegboard-images-'));
await using page = await servePageIn('busy', 'pegboard-');
await using browser = await launchBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  await using context = await browser.newContext({
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: 1080, height: 640 },
  });
  const { tab } = await openTab(context, page.link());
  for (const [name, path] of screens) {
    await tab.goto(`${page.origin}${path}`);
    await tab.locator('.connection', { hasText: /^live$/ }).waitFor();
    await tab.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
    const file = join(folder, `${name}-${colorScheme}.png`);
    await tab.screenshot({ path: file });
    const { size } = statSync(file);
    console.log(`${file.slice(packageRoot.length)} ${Math.round(size / 1024)} KB`);
    if (size > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes.`);
  }
}
