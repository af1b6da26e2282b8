import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type JsonObject, toJson } from 'pegboard';
import { visibleText } from 'pegboard/channels';
import { openFolder, type User } from 'pegboard/files';
import { createFile, writeConfigValue } from 'pegboard/kit';
import { runPluginCommand } from 'pegboard/terminal';
import type { ForeignFile, ForeignHome, ForeignMemory, LeftOut } from './foreign-home.ts';
import { grantRights } from './grant-rights.ts';
import type { ImportOptions, ImportReport } from './report.ts';

/**
 * Puts identity and skills into a space of their own, which waits for approval, memories into the home's memory, and
 * schedules, paused, into its schedules.
 * Overwrites nothing and asks nothing; a second import adds nothing.
 */
export async function applyImport(
  home: string,
  found: ForeignHome,
  options: ImportOptions,
): Promise<ImportReport> {
  const { dryRun } = options;
  const leftOut = [...found.leftOut];
  const folder = join(home, 'spaces', found.space);
  const states = found.files.map((file) => ({ file, state: stateOf(join(folder, file.to), file) }));
  for (const { file, state } of states)
    if (state === 'other')
      leftOut.push({
        what: 'file',
        from: file.from,
        why: `spaces/${found.space}/${file.to} exists and is different`,
      });
  const missing = states.flatMap(({ file, state }) => (state === 'missing' ? [file] : []));
  // Schedules need the agent of the space, even where none of its files was taken.
  const needsSpace = missing.length > 0 || found.schedules.length > 0;
  if (!dryRun && needsSpace) await writeSpace(home, options.surroundings, found, missing);
  const stored = await (dryRun ? countKnown : remember)(found, options);
  const rights = await grantRights(home, found, options);
  return {
    files: missing.map(({ to }) => `spaces/${found.space}/${to}`),
    memories: stored.added,
    schedules: rights.schedules,
    people: rights.people,
    servers: rights.servers,
    renamed: rights.renamed,
    known: stored.known + rights.known + states.filter(({ state }) => state === 'same').length,
    leftOut: await withoutKnownSecrets([...leftOut, ...rights.leftOut], home, options),
  };
}

/** Where this home has a secret of the same name, storing the foreign one would replace it. */
async function withoutKnownSecrets(
  leftOut: readonly LeftOut[],
  home: string,
  { openHost }: ImportOptions,
): Promise<readonly LeftOut[]> {
  const hasSecrets = existsSync(join(home, 'data/secrets'));
  if (!hasSecrets || !leftOut.some(({ secret }) => secret !== undefined)) return leftOut;
  const { secrets } = await openHost();
  return leftOut.map(({ command, ...left }) => {
    const isKnown = left.secret !== undefined && secrets.get(left.secret) !== undefined;
    if (isKnown) return { ...left, why: `${left.why}; this home has one of this name` };
    return { ...left, ...(command !== undefined && { command }) };
  });
}

function stateOf(path: string, { content }: ForeignFile): 'missing' | 'same' | 'other' {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there) return 'missing';
  return there.isFile() && there.size === content.length && readFileSync(path).equals(content)
    ? 'same'
    : 'other';
}

/** Nothing of the space is used before its owner has approved it. */
async function writeSpace(
  home: string,
  user: User,
  { space, program, folder }: ForeignHome,
  files: readonly ForeignFile[],
): Promise<void> {
  const target = join(home, 'spaces', space);
  await writeConfigValue(home, user, ['spaces', space, 'trusted'], false);
  const manifest = { id: space, name: program, description: `Imported from ${program}` };
  const all = [
    { to: 'space.manifest.json', content: Buffer.from(`${toJson(manifest, 2)}\n`) },
    {
      to: 'agent/agent.yaml',
      content: Buffer.from(`# Imported from ${toJson(visibleText(folder))}\nname: ${program}\n`),
    },
    ...files,
  ];
  for (const { to, content } of all) {
    const path = join(target, to);
    await mkdir(dirname(path), { recursive: true });
    // No link leads out of the home.
    using parent = openFolder(dirname(path));
    await createFile(join(parent.path, path.slice(dirname(path).length + 1)), content, 0o644).catch(
      (cause: unknown) => {
        if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      },
    );
  }
}

interface Remembered {
  readonly added: number;
  readonly known: number;
}

const category = 'imported';

/** A memory as it is stored, with where it comes from. */
function contentOf({ text, date, from }: ForeignMemory, program: string): string {
  const origin = [`imported from ${program}`, from, ...(date === undefined ? [] : [date])].join(', ');
  return `${visibleText(text)} (${origin})`;
}

/** What `remember` would say. */
async function countKnown(
  { memories, program }: ForeignHome,
  { signal, openHost, isFresh }: ImportOptions,
): Promise<Remembered> {
  if (memories.length === 0 || isFresh) return { added: memories.length, known: 0 };
  const { memories: stored } = (await runPluginCommand(await openHost(), 'memory list', {
    signal,
    options: { category, limit: '1000000' },
  })) as { readonly memories: readonly { readonly content: string }[] };
  const contents = new Set(stored.map(({ content }) => content));
  const known = memories.filter((memory) => contents.has(contentOf(memory, program))).length;
  return { added: memories.length - known, known };
}

async function remember(
  { memories, program, space }: ForeignHome,
  { signal, openHost }: ImportOptions,
): Promise<Remembered> {
  if (memories.length === 0) return { added: 0, known: 0 };
  const host = await openHost();
  let known = 0;
  for (const memory of memories) {
    const { date } = memory;
    const { error, structured } = await host.dispatch({
      name: 'memory_store',
      args: {
        content: contentOf(memory, program),
        category,
        tags: [space, ...(date === undefined ? [] : [date])],
      },
      scope: host.scopeFor(undefined),
      caller: 'cli',
      signal,
    });
    if (error) throw error;
    if ((structured as JsonObject | undefined)?.['known'] === true) known++;
  }
  return { added: memories.length - known, known };
}
