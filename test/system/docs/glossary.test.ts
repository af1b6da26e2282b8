import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloneEntry, pegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';
import { repository } from '../../kit/homes/clone.ts';

const textOf = (path: string): string => readFileSync(join(repository, path), 'utf8');
const withoutBlocks = (text: string): string => text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
const withoutCode = (text: string): string => text.replace(/`[^`]*`/g, '');

const entries = [...textOf('docs/glossary.md').matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)]
  .map(([, term, unused]) => ({ term: term!, unused: unused!.split(', ') }))
  .slice(1);
const unusedWords = entries.flatMap(({ unused }) => unused);

const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'spaces/*/README.md'], {
  cwd: repository,
}).filter((page) => page !== 'docs/glossary.md');

/** The word with the endings of English plurals and verbs: grant, grants, granted, permitting. */
const inflected = (word: string): RegExp =>
  new RegExp(`(?<![\\w-])${word.replace(/e$/, '')}(?:e|s|es|ed|ing|[a-z]ed|[a-z]ing)?(?![\\w-])`, 'i');

const wordsUnusedIn = (line: string): string[] => unusedWords.filter((word) => inflected(word).test(line));

/** Text for orientation: headings, and the rows of the table of contents. */
function headings(): string[] {
  const [, contents = ''] = textOf('README.md').split('## Read on');
  const rows = contents.split('\n').filter((line) => line.startsWith('|'));
  // Those of the API are names in the code.
  const titled = pages.filter((page) => page !== 'docs/api.md');
  const titles = titled.flatMap((page) => withoutBlocks(textOf(page)).match(/^#+ .*$/gm) ?? []);
  return [...rows, ...titles].map(withoutCode);
}

/** The help without the names of the commands, which are fixed. */
const descriptionsIn = (help: string): string[] =>
  help.split('\n').map((line) => line.replace(/^ {2}\S+(?: \S+)* {2,}/, ''));

test('the glossary has each term once, and no term is a word that another entry does not use', () => {
  const terms = entries.map(({ term }) => term);
  expect(terms.length).toBeGreaterThan(40);
  expect(terms).toEqual([...new Set(terms)].toSorted());
  expect(terms.filter((term) => unusedWords.includes(term))).toEqual([]);
});

test('every term of the glossary is used on another page', () => {
  const text = pages.map(textOf).join('\n');
  expect(entries.map(({ term }) => term).filter((term) => !inflected(term).test(text))).toEqual([]);
});

test('headings and the table of contents use no word that the glossary lists as not used', () => {
  const lines = headings();
  expect(lines.length).toBeGreaterThan(200);
  expect(lines.filter((line) => wordsUnusedIn(line).length > 0)).toEqual([]);
});

test('the help uses no word that the glossary lists as not used', async () => {
  await using home = await createHome();
  const { stdout } = await pegboard(['help'], { entry: cloneEntry, home: home.path });
  const lines = descriptionsIn(stdout);
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => wordsUnusedIn(line).length > 0)).toEqual([]);
});

test('a word that is not used is noticed in its forms, and not within another word', () => {
  expect(wordsUnusedIn('Granting and accepted, permitted')).toEqual(['accept', 'grant', 'permit']);
  expect(wordsUnusedIn('Interactions that are acceptable')).toEqual([]);
});
