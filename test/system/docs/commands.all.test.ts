import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, expect, test } from 'vitest';
import { packageEntry } from '../../kit/cli.ts';
import { openClone, repository, type Clone } from '../../kit/homes/clone.ts';
import { blocksOf, promisesOf, type Block } from './blocks.ts';
import { runShell } from './shell.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'spaces/*/README.md'], { cwd: repository }).sort();
const read = (document: string): Block[] => blocksOf(readFileSync(join(repository, document), 'utf8'));
const active = (block: Block): boolean => block.language === 'sh' || block.file !== undefined;

/** Files that the linter knows. Other files in a document are used by its commands. */
const checked =
  /(^|\/)(pegboard\.yaml|\.mcp\.json|plugin\.yaml|space\.manifest\.json|agent\.yaml|agents\/[^/]+\.yaml|tools\/[^/]+\.(md|ya?ml)|skills\/.+\.md)$/;

/** Documents about a clone's own command; in the others, `pegboard` is the installed package. */
const inClone = new Set(['README.md', 'docs/plugins.md', 'spaces/example/README.md']);

/** Paths of the clones, one after the other. */
const root = mkdtempSync(join(tmpdir(), 'pegboard-documents-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const withCommands = documents.filter((document) => read(document).some(active));

test.for(withCommands)(
  'in a fresh clone, the commands and files of %s do what it says',
  { timeout: 180_000 },
  async (document) => {
    await using clone = await openClone(root, inClone.has(document) ? undefined : packageEntry());
    let written: Block[] = [];
    for (const block of [...read(document).filter(active), undefined]) {
      if (block?.file !== undefined) {
        await write(block, clone);
        written.push(block);
        if (block.refused === undefined) continue;
      }
      await lint(written, clone, document);
      written = [];
      if (block && block.file === undefined) await runCommands(block, clone, `${document}:${block.line}`);
    }
  },
);

async function runCommands(block: Block, clone: Clone, place: string): Promise<void> {
  const { code, output } = await runShell(block.text, clone);
  expect(code, `${place} ended with ${code}:\n${block.text}\n${output}`).toBe(0);
  for (const promise of promisesOf(block))
    expect(matches(output, promise), `${place} promises "${promise}":\n${output}`).toBe(true);
}

/** "…" matches anything. */
function matches(output: string, promise: string): boolean {
  let from = 0;
  return promise.split('…').every((part) => {
    const at = output.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}

async function write({ file, text }: Block, { folder }: Clone): Promise<void> {
  const path = join(folder, file!);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/**
 * Checks that the files are valid. A file that is shown as a bad example must be refused as the document says, and is
 * then deleted.
 */
async function lint(blocks: readonly Block[], clone: Clone, document: string): Promise<void> {
  const known = blocks.filter(({ file }) => checked.test(file!));
  if (known.length === 0) return;
  const { output } = await runShell(
    `pegboard lint --json ${known.map(({ file }) => `'${file}'`).join(' ')} || true`,
    clone,
  );
  const { diagnostics } = JSON.parse(output) as { diagnostics: { path: string; code: string }[] };
  for (const { file, line, refused } of known) {
    const found = diagnostics.filter(({ path }) => path === file);
    const codes = refused === undefined ? [] : [refused];
    expect(
      found.map(({ code }) => code),
      `${document}:${line}: ${JSON.stringify(found)}`,
    ).toEqual(codes);
    if (refused !== undefined) await rm(join(clone.folder, file!));
  }
}

test('every JSON and YAML block of the documents is JSON or YAML', () => {
  for (const document of documents) {
    for (const { language, text, line } of read(document)) {
      const parse = parsers[language as keyof typeof parsers] ?? (() => undefined);
      expect(() => parse(text), `${document}:${line}`).not.toThrow();
    }
  }
});

const parsers = {
  json: (text: string): unknown => JSON.parse(text),
  yaml: (text: string): unknown => load(text),
};

test('a block in a language that no test knows is a mistake', () => {
  const known = ['sh', 'console', 'text', 'json', 'jsonc', 'yaml', 'md', 'ts', 'js', 'templates'];
  const unknown = documents.flatMap((document) =>
    read(document)
      .filter(({ language }) => !known.includes(language))
      .map(({ line, language }) => `${document}:${line} ${language}`),
  );
  expect(unknown).toEqual([]);
});
