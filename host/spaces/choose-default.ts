import { readFile, realpath, stat } from 'node:fs/promises';
import { isMap, parseDocument, type Document } from 'yaml';
import { mistakeIn } from '../core/documents/mistake-in.ts';
import { writtenLike } from '../core/documents/yaml/written-like.ts';
import { PegboardError } from '../core/errors.ts';
import { writeNew } from '../core/files/new-file.ts';
import { writeFileAtomically } from '../core/files/write-file-atomically.ts';
import { singleAgentFile } from './read-space.ts';
import type { SpaceAgent } from './space.ts';

/**
 * Makes an agent the one that answers where none is named: writes `default: true` into its file, which is created for the
 * agent of a space that has none, and takes the key out of the files of others. Comments stay. Returns the changed files.
 * Throws PEG_CONFIG for a file that can't be parsed, before anything is changed.
 */
export async function chooseDefaultAgent(
  chosen: SpaceAgent,
  agents: readonly SpaceAgent[],
  home: string,
): Promise<readonly string[]> {
  const others = agents.filter(({ agent }) => agent.isDefault && agent.id !== chosen.agent.id);
  const edits = await Promise.all(others.map(({ document }) => editOf(document!.path, removeDefault)));
  if (chosen.document !== undefined && !chosen.agent.isDefault)
    edits.push(await editOf(chosen.document.path, addDefault));
  for (const { path, text, mode } of edits) await writeFileAtomically(path, text, mode);
  const changed = edits.map(({ path }) => path);
  // The agent of a home without spaces has no place for a file, and needs none.
  if (chosen.document !== undefined || chosen.agent.folder === home) return changed;
  return [...changed, await writeNew(singleAgentFile(chosen.agent.folder), 'default: true\n')];
}

interface Edit {
  /** With links resolved. */
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

async function editOf(file: string, edit: (document: Document) => void): Promise<Edit> {
  const path = await realpath(file);
  const written = await readFile(path, 'utf8');
  const document = parseDocument(written);
  const [error] = document.errors;
  if (error)
    throw new PegboardError(
      'PEG_CONFIG',
      `${file} can't be parsed, and nothing was changed: ${mistakeIn(written, 'yaml') ?? 'it is not valid YAML'}`,
    );
  edit(document);
  return { path, text: writtenLike(written, document), mode: (await stat(path)).mode & 0o777 };
}

function removeDefault(document: Document): void {
  document.delete('default');
}

/** Below what says who the agent is. */
function addDefault(document: Document): void {
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  document.delete('default');
  const { items } = document.contents as unknown as { items: { readonly key: unknown }[] };
  const after = items.findLastIndex(({ key }) => ['id', 'name', 'description'].includes(String(key)));
  items.splice(after + 1, 0, document.createPair('default', true));
}
