import { globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { openClone, repository, type Clone } from '../kit/clone.ts';
import { blocksOf, promisesOf, type Block } from './blocks.ts';
import { runShell } from './shell.ts';

const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: repository })].sort();
const read = (document: string): Block[] => blocksOf(readFileSync(join(repository, document), 'utf8'));
const active = (block: Block): boolean => block.language === 'sh' || block.file !== undefined;

/** Files that the linter knows; what else a document has a reader write, its commands use. */
const checked =
  /(^|\/)(pegboard\.yaml|\.mcp\.json|plugin\.yaml|space\.manifest\.json|agent\.yaml|tools\/[^/]+\.(md|ya?ml))$/;

const withCommands = documents.filter((document) => read(document).some(active));

test.for(withCommands)(
  'in a fresh clone, the commands and files of %s do what it says',
  { timeout: 180_000 },
  async (document) => {
    await using clone = await openClone();
    for (const block of read(document).filter(active)) {
      const place = `${document}:${block.line}`;
      if (block.file !== undefined) await takeOver(block, clone, place);
      else await runCommands(block, clone, place);
    }
  },
);

async function runCommands(block: Block, clone: Clone, place: string): Promise<void> {
  const { code, output } = await runShell(block.text, clone);
  expect(code, `${place} ended with ${code}:\n${block.text}\n${output}`).toBe(0);
  for (const promise of promisesOf(block))
    expect(matches(output, promise), `${place} promises "${promise}":\n${output}`).toBe(true);
}

/** "…" stands for anything. */
function matches(output: string, promise: string): boolean {
  let from = 0;
  return promise.split('…').every((part) => {
    const at = output.indexOf(part.trim(), from);
    from = at + part.trim().length;
    return at >= 0;
  });
}

/** Writes the file and lints it; one that is shown because it is wrong must be refused as the document says, and goes. */
async function takeOver(block: Block, clone: Clone, place: string): Promise<void> {
  const path = join(clone.folder, block.file!);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, block.text);
  if (!checked.test(block.file!)) return;
  const { code, output } = await runShell(`pegboard lint --json '${block.file}'`, clone);
  if (block.refused === undefined) {
    expect(JSON.parse(output), `${place}: what is shown as an example is`).toEqual({ diagnostics: [] });
    return;
  }
  expect(code, `${place}: ${block.file} is accepted:\n${output}`).toBe(1);
  expect(output, place).toContain(`"${block.refused}"`);
  await rm(path);
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
