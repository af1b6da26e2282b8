import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { packageEntry, pegboard } from '../../kit/cli.ts';
import { openClone, repository, type Clone } from '../../kit/homes/clone.ts';
import { blocksOf, promisesOf, type Block } from './blocks.ts';
import { runShell, type Ended } from './shell.ts';

export const documents = globSync(['*.md', 'docs/**/*.md', 'spaces/*/README.md'], { cwd: repository }).sort();
export const read = (document: string): Block[] => blocksOf(readFileSync(join(repository, document), 'utf8'));
const active = (block: Block): boolean => block.language === 'sh' || block.file !== undefined;
export const withCommands = documents.filter((document) => read(document).some(active));
/** In `npm test`; the others run in test:all. */
export const first = ['README.md'];
/** Milliseconds for the dozens of processes of a document. */
export const timeout = 180_000;

/** Files that the linter knows. Other files in a document are used by its commands. */
const checked =
  /(^|\/)(pegboard\.yaml|\.mcp\.json|plugin\.yaml|space\.manifest\.json|agent\.yaml|agents\/[^/]+\.yaml|tools\/[^/]+\.(md|ya?ml)|skills\/.+\.md)$/;

/** Documents about a clone's own command; in the others, `pegboard` is the installed package. */
const inClone = new Set(['README.md', 'docs/plugins.md', 'spaces/example/README.md']);

/** In a fresh clone, the commands and files of a document do what it says. Called once in a file, for all its documents. */
export function documentRunner(): (document: string) => Promise<void> {
  // Clones stand at the same path, one after the other. It belongs to the file: modules are shared by several.
  const root = mkdtempSync(join(tmpdir(), 'pegboard-documents-'));
  afterAll(() => rm(root, { recursive: true, force: true }));
  return async (document) => await runDocument(document, root);
}

async function runDocument(document: string, root: string): Promise<void> {
  const entry = inClone.has(document) ? undefined : packageEntry();
  await using clone = await openClone(root, entry);
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
}

/** `pegboard` and words that mean the same without a shell. */
const plain = /^pegboard((?: +(?:[\w./:@=,-]+|'[^']*'|"[^"$`\\]*"))*)$/;

/** The commands of a block that needs no shell, undefined for one that does. */
function plainCommands(text: string): readonly (readonly string[])[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const found = lines.map((line) => plain.exec(line.trim())?.[1]);
  if (!found.every((words) => words !== undefined)) return undefined;
  return found.map((words) =>
    [...words.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, bare]) => single ?? double ?? bare!,
    ),
  );
}

/** Runs the block in the clone as a shell does that stops at the first failure. */
async function runBlock({ text }: Block, clone: Clone): Promise<Ended> {
  const commands = clone.entry === undefined ? undefined : plainCommands(text);
  if (commands === undefined) return await runShell(text, clone);
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  const env = { ...none, ...clone.environment };
  let output = '';
  for (const args of commands) {
    const { code, stdout, stderr } = await pegboard(args, { cwd: clone.folder, env });
    output += stdout + stderr;
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

async function runCommands(block: Block, clone: Clone, place: string): Promise<void> {
  const { code, output } = await runBlock(block, clone);
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
