import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isSoak } from '../run/tiers.ts';
import type { Watched } from './chromium.ts';

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
export const hostileTexts: readonly string[] = [
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

/** Notes from now on what runs for long, and what the page's policy refuses. */
export const watchForExecution = (tab: Page): Promise<void> =>
  tab.evaluate(() => {
    const seen = globalThis as unknown as { longest: number; reports: string[] };
    seen.longest = 0;
    seen.reports = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: 'longtask' });
    addEventListener('securitypolicyviolation', ({ blockedURI }) => seen.reports.push(blockedURI));
  });

/** Nothing ran, nothing was asked for elsewhere, nothing was refused. Returns the longest task, in milliseconds. */
export async function expectOnlyTexts(tab: Page, watched: Watched): Promise<number> {
  const seen = await tab.evaluate(() => {
    const { longest, reports, executed } = globalThis as unknown as {
      readonly longest: number;
      readonly reports: readonly string[];
      readonly executed?: number;
    };
    return { longest, reports, executed };
  });
  expect(seen).toMatchObject({ reports: [], executed: undefined });
  // What a browser says of an answer that is a failure, such as that of a file that isn't there.
  const errors = watched.errors.filter((text) => !/status of 422/.test(text));
  expect({ ...watched, errors }).toEqual({ errors: [], outside: [] });
  // No element that this page does not make itself.
  expect(
    await tab
      .locator('script:not([src^="/"]), iframe, object, embed, form[action], base, style, meta[http-equiv]')
      .count(),
  ).toBe(0);
  return seen.longest;
}
