import { dirname, join } from 'node:path';
import type { Project, Workplace } from '../api/known-folders.ts';
import { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
import { readTextFile } from '../core/files/text-file.ts';
import { instructionFiles } from '../core/files/project.ts';
import { shownLine } from '../core/foreign/shown-text.ts';
import { withCommas } from '../core/text/with-commas.ts';
import type { Turn } from './turn.ts';

/** Maximum characters of all files together: what is nearer to the root comes first. */
const maxLength = 32_768;

/** What a model reads of the project in which the person works. */
interface ProjectText {
  /** Where the person is, and what relative paths mean. */
  readonly place: string;
  /** AGENTS.md, else CLAUDE.md, of each folder from the project's root to the person's folder. Empty without any. */
  readonly instructions: string;
  /** The files that are in it. Absolute paths. */
  readonly files: readonly string[];
}

/** What a turn sends of it. */
export interface ShownProject {
  /** For the system prompt. */
  readonly trusted?: string;
  /** For the preamble. */
  readonly foreign?: string;
}

/** Instructions of a project that isn't trusted are untrusted content, which the turn has then read. */
export function openProject({ message: { workplace }, untrusted }: Turn): ShownProject {
  const text = workplace && readProject(workplace);
  if (!text) return {};
  const { place, instructions, files } = text;
  if (workplace.project!.isTrusted) return { trusted: `${place}\n\n${instructions}`.trim() };
  for (const what of files) untrusted.note({ kind: 'file', what });
  return { trusted: place, foreign: instructions };
}

/** The same files give the same bytes. Undefined where the person works in no project. */
export function readProject({ folder, project }: Workplace): ProjectText | undefined {
  if (!project) return undefined;
  const { root } = project;
  const files: string[] = [];
  const texts: string[] = [];
  let left = maxLength;
  for (const place of foldersFrom(root, folder)) {
    const found = instructionsIn(place, root);
    if (!found) continue;
    files.push(found.path);
    const cut = found.text.length - left;
    const note = cut > 0 ? `\n[${withCommas(cut)} more characters are left out: read the file]` : '';
    texts.push(`### ${shownLine(found.path)}\n\n${found.text.slice(0, left).toWellFormed()}${note}`);
    left = Math.max(0, left - found.text.length);
  }
  return { place: placeOf(folder, project), instructions: texts.join('\n\n'), files };
}

const placeOf = (folder: string, { root }: Project): string =>
  [
    `The person works in ${shownLine(folder)}, in the project ${shownLine(root)}.`,
    'For file tools and bash, relative paths start at the folder of the project.',
  ].join(' ');

function foldersFrom(root: string, folder: string): readonly string[] {
  const found = [folder];
  for (let place = folder; place !== root; place = dirname(place)) found.unshift(dirname(place));
  return found;
}

/** One that can't be read is named with the reason. */
function instructionsIn(
  folder: string,
  root: string,
): { readonly path: string; readonly text: string } | undefined {
  for (const name of instructionFiles) {
    const path = join(folder, name);
    const file = readTextFile(path, [root]);
    if (file.text === undefined && file.missing) continue;
    const text = file.text?.trim() ?? `[Not read: ${file.diagnostics.map(describeDiagnostic).join('; ')}]`;
    if (text !== '') return { path, text };
  }
  return undefined;
}
