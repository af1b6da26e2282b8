import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../kit/homes/clone.ts';
import { blocksOf } from './blocks.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'spaces/*/README.md'], { cwd: repository });
const textOf = (document: string): string => readFileSync(join(repository, document), 'utf8');
const withoutBlocks = (text: string): string => text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '');

/** As GitHub makes them of headings. */
function anchorsOf(document: string): string[] {
  return [...withoutBlocks(textOf(document)).matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link between documents leads to a file, and to a heading of it', () => {
  const broken = documents.flatMap((document) =>
    [...withoutBlocks(textOf(document)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path, anchor]) => {
        const target = path === '' ? document : join(dirname(document), path!);
        if (!existsSync(join(repository, target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every path of this repository that a document names in code style exists, or is written by its reader', () => {
  const missing = documents.flatMap((document) => {
    const text = textOf(document);
    const written = new Set(blocksOf(text).map(({ file }) => file));
    return [...withoutBlocks(text).matchAll(codePath)]
      .map(([, path]) => path!)
      .filter((path) => !path.includes('NNNN') && !written.has(path) && !existsSync(join(repository, path)))
      .map((path) => `${document}: ${path}`);
  });
  expect(missing).toEqual([]);
});

const codePath = /`((?:host|test|plugins|schemas|bench|docs|tools|bin)\/[\w./-]*\w\/?)`/g;
