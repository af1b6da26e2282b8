import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { checkDocument } from '../../../core/documents/check-document.ts';
import { readDocument, type SourceDocument } from '../../../core/documents/document.ts';
import { skillSchema } from '../../../core/documents/file-schemas.ts';
import { splitFrontMatter } from '../../../core/documents/front-matter.ts';
import { isFile, isFolder } from '../../../core/files/paths.ts';
import type { SkillFrontMatter, SkillRequirements } from '../../../formats/skill.ts';
import { placeAt } from '../../../core/files/text-file.ts';
import { isManifestPath } from './manifest-files.ts';
import { quoteTexts } from './quote-texts.ts';
import { withCommas } from '../../../core/text/with-commas.ts';

/** The file of a skill in a folder of its own, as named by the Agent Skills format. */
export const skillFile = 'SKILL.md';

/** Maximum characters of a skill's body: more would not fit into one result of use_skill. */
const maxBodyLength = 28_000;

/** A skill, read from its file. */
export interface WrittenSkill {
  readonly name: string;
  readonly description: string;
  readonly requires: SkillRequirements;
  /** Markdown. */
  readonly body: string;
  /** Absolute. */
  readonly path: string;
}

/** The skills of a folder: its Markdown files, and SKILL.md of the folders in it. A missing folder has none. */
export function findSkills(folder: string): readonly string[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    if (!isFolder(path)) return isManifestPath(path) && path.endsWith('.md') ? [path] : [];
    const inside = join(path, skillFile);
    return !name.startsWith('.') && isFile(inside) ? [inside] : [];
  });
}

/** `skill` is absent when an error prevents its use. */
export async function readSkill(
  text: string,
  path: string,
): Promise<{ readonly skill?: WrittenSkill; readonly diagnostics: readonly Diagnostic[] }> {
  const parts = splitFrontMatter(text, path);
  if ('code' in parts) return { diagnostics: [forSkills(parts)] };
  const { document, diagnostics } = await readFrontMatter(parts.head, path);
  const body = parts.body.trim();
  const report = (code: string, message: string, place: object, hint?: string): number =>
    diagnostics.push({
      severity: code === otherName ? 'warning' : 'error',
      code,
      message,
      path,
      ...place,
      ...(hint !== undefined && { hint }),
    });
  if (hasError(diagnostics)) return { diagnostics };

  const { name, description, requires = {} } = document.value as SkillFrontMatter;
  const after = placeAt(text, text.length - parts.body.length);
  if (body === '') report('empty-skill', 'there are no instructions below the front matter', after);
  if (body.length > maxBodyLength) {
    const message = `the instructions have ${withCommas(body.length)} characters; at most ${withCommas(maxBodyLength)} fit into a conversation`;
    report('skill-too-long', message, after, 'move details into files beside SKILL.md, and name them');
  }
  const wanted = nameByPath(path);
  if (name !== wanted) {
    const what = basename(path) === skillFile ? 'folder' : 'file';
    report(
      otherName,
      `the skill is called "${name}", but its ${what} is called "${wanted}"`,
      document.locate('/name'),
    );
  }
  if (hasError(diagnostics)) return { diagnostics };
  return { skill: { name, description: description.trim(), requires, body, path }, diagnostics };
}

const otherName = 'other-name';

/** What other programs read is read, with a warning: texts without quotes that YAML needs, and names in other letters. */
async function readFrontMatter(
  head: string,
  path: string,
): Promise<{ readonly document: SourceDocument; readonly diagnostics: Diagnostic[] }> {
  const options = { path, format: 'yaml', lineOffset: 1 } as const;
  const strict = readDocument(head, options);
  const quoted = readDocument(quoteTexts(head), options);
  const isRead = hasError(strict.diagnostics) && !hasError(quoted.diagnostics);
  const diagnostics = strict.diagnostics.map((problem) =>
    isRead ? { ...problem, ...withoutQuotes } : problem,
  );
  const written = isRead ? quoted : strict;
  const document = withPlainName(written);
  if (document !== written)
    diagnostics.push({
      severity: 'warning',
      code: otherName,
      message: `the name of a skill has lower-case words with hyphens: it is "${nameIn(document)}" here`,
      path,
      ...document.locate('/name'),
      hint: `write name: ${nameIn(document)}`,
    });
  if (!hasError(diagnostics)) diagnostics.push(...(await checkDocument(document, skillSchema)));
  return { document, diagnostics };
}

const withoutQuotes = { severity: 'warning', hint: 'put the whole text in quotes' } as const;

const nameIn = ({ value }: SourceDocument): string | undefined => {
  const name = value !== null && typeof value === 'object' && 'name' in value ? value.name : undefined;
  return typeof name === 'string' ? name : undefined;
};

/** "PDF Tools" → "pdf-tools" */
function withPlainName(document: SourceDocument): SourceDocument {
  const name = nameIn(document);
  const plain = name
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, '-');
  return name === plain ? document : { ...document, value: { ...(document.value as object), name: plain } };
}

/** The name that a skill's path requires. */
function nameByPath(path: string): string {
  return basename(path) === skillFile ? basename(dirname(path)) : basename(path, '.md');
}

/** A skill's front matter has other keys than a tool's. */
function forSkills(problem: Diagnostic): Diagnostic {
  if (problem.code !== 'no-front-matter') return problem;
  return { ...problem, hint: 'begin with ---, then name and description, then ---' };
}

const hasError = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
