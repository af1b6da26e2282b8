import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifest } from '../../../kit/homes/home.ts';
import { startPacedModel } from '../../../kit/servers/paced-model.ts';
import { launchBrowser, noBrowser, openTab } from '../../../kit/web/chromium.ts';
import { fillChat } from '../../../kit/web/fill-chat.ts';
import { answersIn, openChat, scriptedChat } from '../../../kit/web/open-chat.ts';
import { servePage } from '../../../kit/web/served-page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser: Browser;
beforeAll(async () => {
  if (noBrowser === undefined) browser = await launchBrowser();
});
afterAll(() => browser?.close());

const field = (tab: Page) => tab.getByRole('textbox', { name: 'Message', exact: true });

async function complaintsOf(tab: Page): Promise<unknown> {
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(() =>
    (globalThis as unknown as { readonly axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  const width = await tab.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  const [scrollWidth, innerWidth] = width as [number, number];
  return {
    violations: violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
    overflow: Math.max(0, scrollWidth - innerWidth),
  };
}
const none = { violations: [], overflow: 0 };

test('an answer is streamed into every tab, and a reload in its middle loses nothing', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using model = await startPacedModel();
  await using chatting = await openChat(model.baseUrl);
  const { page } = chatting;
  await using opened = await browser.newContext();
  const { tab, watched } = await openTab(opened, page.link());
  await tab.goto(`${page.origin}/chat/${chatting.chat}`);
  const other = await opened.newPage();
  await other.goto(`${page.origin}/chat/${chatting.chat}`);
  await field(tab).fill('Count');
  await field(tab).press('Enter');
  await field(other).fill('not sent yet');
  let whole = '';
  for (let at = 0; at < 60; at++) {
    const piece = `word${at} `;
    whole += piece;
    await model.say(piece);
    if (at % 20 === 10) await tab.reload();
  }
  for (const one of [tab, other]) await one.getByText(whole.trim(), { exact: true }).waitFor();
  await model.finish();
  for (const one of [tab, other]) {
    await one.getByText('pegboard is writing').waitFor({ state: 'detached' });
    expect(await one.locator('.answer .md').allInnerTexts()).toEqual([whole.trim()]);
    expect(await one.locator('.said .bubble').allInnerTexts()).toEqual(['Count']);
  }
  await other.reload();
  expect(await field(other).inputValue()).toBe('not sent yet');
  expect(watched).toEqual({ errors: [], outside: [] });
});

test('what was typed while the host was away is sent when it is back, once', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using chatting = await scriptedChat([{ text: 'Here I am.' }]);
  const { page } = chatting;
  await using opened = await browser.newContext();
  const { tab } = await openTab(opened, page.link());
  await tab.goto(`${page.origin}/chat`);
  await field(tab).fill('Are you there?');
  let isAway = true;
  await tab.route('**/api/chat/*', async (route) => {
    if (route.request().method() !== 'POST' || !isAway) return route.continue();
    // The host has got it, and the browser never learns that.
    await route.fetch();
    await route.abort();
  });
  await field(tab).press('Enter');
  await tab.getByRole('alert').getByText('The host does not answer').waitFor();
  isAway = false;
  await tab.reload();
  expect(await field(tab).inputValue()).toBe('Are you there?');
  await field(tab).press('Enter');
  await tab.getByText('Here I am.').waitFor();
  expect(await tab.locator('.bubble').allInnerTexts()).toEqual(['Are you there?']);
  expect(await field(tab).inputValue()).toBe('');
});

test('a turn is stopped, asks inline, and shows its calls, all by keyboard', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using chatting = await scriptedChat(
    [
      { toolCalls: [{ name: 'work__note', arguments: { text: 'milk' } }] },
      { text: 'Noted.' },
      { toolCalls: [{ name: 'work__nap', arguments: {} }] },
    ],
    {
      'spaces/work/agent/tools/note.md': manifest(
        'note',
        'parameters: [{ name: text, type: string, required: true }]\ncommand: "echo {{text}} >> notes; echo kept"\nconfirm: true',
      ),
      'spaces/work/agent/tools/nap.md': manifest('nap', 'command: sleep 60\nreadOnly: true'),
    },
  );
  const { page } = chatting;
  await using opened = await browser.newContext({ viewport: { width: 320, height: 700 } });
  const { tab, watched } = await openTab(opened, page.link());
  await tab.goto(`${page.origin}/chat/${chatting.chat}`);
  await field(tab).fill('Note milk');
  await field(tab).press('Enter');
  const allow = tab.getByRole('button', { name: 'Allow once' });
  await allow.waitFor();
  expect(await complaintsOf(tab)).toEqual(none);
  await allow.focus();
  await tab.keyboard.press('Enter');
  await tab.getByText('Noted.').waitFor();
  expect(await page.home.read('spaces/work/notes')).toBe('milk\n');
  await tab.reload();
  await tab.getByText('allowed once').waitFor();
  const call = tab.locator('summary', { hasText: 'work.note' });
  await call.focus();
  await tab.keyboard.press('Enter');
  await tab.getByRole('region', { name: 'Result of work.note' }).getByText('kept').waitFor();
  expect(await complaintsOf(tab)).toEqual(none);
  await field(tab).fill('Sleep');
  await field(tab).press('Enter');
  await tab.getByText('waits for a call').waitFor();
  await tab.getByRole('button', { name: 'Stop' }).press('Enter');
  await tab.getByText('Stopped.').waitFor();
  await tab.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  expect(watched).toEqual({ errors: [], outside: [] });
});

test('a file is chosen, sent and downloaded byte for byte; a picture is shown', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using chatting = await scriptedChat([{ text: 'Got them.' }]);
  const { page } = chatting;
  await using opened = await browser.newContext();
  const { tab, watched } = await openTab(opened, page.link());
  await tab.goto(`${page.origin}/chat/${chatting.chat}`);
  const bytes = Buffer.from([0, 255, 10, 13, 7]);
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  await tab.setInputFiles('input[type=file]', [
    { name: 'data.bin', mimeType: 'application/octet-stream', buffer: bytes },
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') },
  ]);
  await tab.getByRole('button', { name: 'Remove dot.png' }).waitFor();
  await field(tab).press('Enter');
  await tab.getByText('Got them.').waitFor();
  await tab.getByRole('img', { name: 'dot.png' }).waitFor();
  const downloading = tab.waitForEvent('download');
  await tab.getByRole('button', { name: 'Download data.bin' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('data.bin');
  expect(readFileSync(await download.path()).equals(bytes)).toBe(true);
  expect(watched).toEqual({ errors: [], outside: [] });
});

test('a chat without a model says how to connect one, and is usable by everybody', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using page = await servePage();
  for (const colorScheme of ['light', 'dark'] as const) {
    await using opened = await browser.newContext({ colorScheme, viewport: { width: 320, height: 700 } });
    const { tab } = await openTab(opened, page.link());
    for (const path of ['/chat', '/chat/new', '/chat/cunknown1', '/chat/12345']) {
      await tab.goto(`${page.origin}${path}`);
      await tab.getByText(path === '/chat' ? 'No chat yet' : 'setup connects one').waitFor();
      expect(await complaintsOf(tab), `${path}, ${colorScheme}`).toEqual(none);
    }
  }
});

const payloads = [
  '<img src=x onerror=alert(1)>',
  '<script>fetch("https://evil.example/")</script>',
  '<svg onload=alert(1)><script href="https://evil.example/x.js"/></svg>',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<style>@import "https://evil.example/a.css"; * { background: url(https://evil.example/b) }</style>',
  '<base href="https://evil.example/"><form action="//evil.example"><button>Allow once</button></form>',
  'https://evil.example/track.png',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '\u202Efdp.exe\u2066\u200B\u0000',
  `a${'\u0301'.repeat(300)}`,
  '{{constructor.constructor("alert(1)")()}}',
  '"><meta http-equiv=refresh content="0;url=https://evil.example">',
];
const wrappings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `![x](${text})`,
  (text) => `[x](${text})`,
  (text) => `[x]: ${text}\n\n![y][x]`,
  (text) => `<${text}>`,
  (text) => `# ${text}`,
  (text) => `> ${text}`,
  (text) => `| ${text} |\n|---|\n| ${text} |`,
  (text) => `\`\`\`html\n${text}\n\`\`\``,
  (text) => `- [ ] ${text}`,
  (text) => `**${text}** _${text}_ ~~${text}~~`,
  (text) => `<a href="${text}" onclick="alert(1)">${text}</a>`,
  (text) => `![x](data:image/svg+xml;base64,${btoa(unescape(encodeURIComponent(text)))})`,
];
const hostile = payloads.flatMap((payload) => wrappings.map((wrap) => wrap(payload)));

test('hostile texts in every place of a chat are texts', async (context) => {
  if (noBrowser !== undefined) return context.skip(noBrowser);
  await using chatting = await scriptedChat([{ text: 'Yes.' }]);
  const { page } = chatting;
  await chatting.write('Begin');
  await chatting.until((now) => answersIn(now).length === 1);
  const batch = 6;
  const batches = Array.from({ length: Math.ceil(hostile.length / batch) }, (_, at) =>
    hostile.slice(at * batch, (at + 1) * batch),
  );
  fillChat(
    page.home.path,
    chatting.chat,
    batches.map((texts) => ({
      said: texts.join('\n\n'),
      answer: texts.join('\n\n'),
      call: { tool: texts[0]!.slice(0, 80), args: JSON.stringify({ texts }), result: texts.join('\n') },
      file: texts.join(' ').slice(0, 110),
    })),
  );
  await using opened = await browser.newContext();
  const { tab, watched } = await openTab(opened, page.link());
  tab.on('dialog', (dialog) => void dialog.dismiss().then(() => expect.unreachable('a dialog was opened')));
  await tab.goto(`${page.origin}/chat/${chatting.chat}`);
  await tab.locator('.answer').first().waitFor();
  // Every item has been laid out, and every call opened.
  for (;;) {
    const more = tab.getByRole('button', { name: 'Earlier messages' });
    if ((await more.count()) === 0) break;
    // It may go away meanwhile, when all are shown.
    await more.press('Enter', { timeout: 2_000 }).catch(() => {});
    await tab.waitForTimeout(200);
  }
  await tab.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`);
  await tab.waitForTimeout(500);
  expect(await tab.locator('.answer').count()).toBe(batches.length + 1);
  expect(await tab.evaluate('window.hit')).toBeUndefined();
  const made = await tab.evaluate(
    `document.querySelectorAll('main script, main iframe, main style, main base, main form:not(.composer), main meta, main svg').length`,
  );
  expect(made).toBe(0);
  const links = (await tab.evaluate(
    `[...document.querySelectorAll('.transcript a')].map((a) => [a.protocol, a.rel])`,
  )) as [string, string][];
  for (const [protocol, rel] of links) {
    expect(['http:', 'https:', 'mailto:']).toContain(protocol);
    expect(rel).toContain('noopener');
  }
  expect(links.length).toBeGreaterThan(0);
  // Files that are not there any more say so; nothing else is an error.
  expect(watched.errors.filter((error) => !error.includes('422'))).toEqual([]);
  expect(watched.outside).toEqual([]);
});
