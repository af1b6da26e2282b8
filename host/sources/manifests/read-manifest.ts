import type { Diagnostic } from '../../api/diagnostic.ts';
import { checkDocument, valueAt } from '../../core/documents/check-document.ts';
import { readDocument, type SourceDocument } from '../../core/documents/document.ts';
import { messageOf } from '../../core/errors.ts';
import { toolSchema } from '../../core/documents/file-schemas.ts';
import { splitFrontMatter } from '../../core/documents/front-matter.ts';
import { briefly, shorten } from '../../core/text/shorten.ts';
import type { Boundary } from '../../core/files/links.ts';
import { readTextFile, type TextFile } from '../../core/files/text-file.ts';
import { checkAction, checkManifest, type Mistake } from './check/check-manifest.ts';
import { loadAction, warningsOf } from './load-action.ts';
import type { ToolManifest } from './manifest.ts';
import { isScriptPath, parseScript } from './parse-script.ts';
import type { WrittenManifest } from '../../formats/tool.ts';
import { toManifest } from './to-manifest.ts';

export interface ReadManifest {
  /** Absent when an error prevents its use. */
  readonly manifest?: ToolManifest;
  readonly diagnostics: readonly Diagnostic[];
  /** The file does not exist. */
  readonly missing?: boolean;
}

/** The tool of one .md, .yaml, .yml or .script.ts file. `root` is the folder of its space or plugin, which it can't leave. */
export const readManifestFile = (path: string, root: string): Promise<ReadManifest> =>
  readOpened(openManifestFile(path, [root]), root);

/** A manifest file that could be opened: its document, and the Markdown below it. */
export interface OpenedManifest {
  readonly document: SourceDocument;
  readonly documentation: string;
}

/** Reads and parses a file that lies in the boundary; why it can't be, otherwise. */
export const openManifestFile = (path: string, boundary: Boundary): OpenedManifest | ReadManifest =>
  parseManifest(readTextFile(path, boundary), path);

export function parseManifest(file: TextFile, path: string): OpenedManifest | ReadManifest {
  if (file.text === undefined) return file;
  const { text } = file;
  if (isScriptPath(path)) return parseScript(text, path);
  if (!path.endsWith('.md')) {
    return { document: readDocument(text, { path, format: 'yaml' }), documentation: '' };
  }
  const parts = splitFrontMatter(text, path);
  if ('code' in parts) return { diagnostics: [parts] };
  const document = readDocument(parts.head, { path, format: 'yaml', lineOffset: 1 });
  return { document, documentation: parts.body.trim() };
}

export async function readOpened(opened: OpenedManifest | ReadManifest, root: string): Promise<ReadManifest> {
  return 'document' in opened ? readManifest(opened.document, '', root, opened.documentation) : opened;
}

/** The tool at a JSON pointer of a document. */
export async function readManifest(
  document: SourceDocument,
  at: string,
  root: string,
  documentation = '',
): Promise<ReadManifest> {
  if (document.diagnostics.length > 0) return { diagnostics: document.diagnostics };
  const toDiagnostic = ({ pointer, part, severity = 'error', ...mistake }: Mistake): Diagnostic =>
    briefly({
      severity,
      path: document.path,
      ...document.locate(at + pointer, part),
      ...mistake,
    });
  const found = await checkDocument(document, toolSchema, { at });
  const value = valueAt(document.value, at);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { diagnostics: found };
  const written = value as WrittenManifest;

  // Missing command, mcp and handler have a message of their own; the shape is checked before the content.
  const shape: Diagnostic[] = found.filter(({ code }) => code !== 'not-one-of');
  shape.push(...checkAction(written).map(toDiagnostic), ...cutByComment(document, at));
  if (hasError(shape)) return { diagnostics: inOrder(shape) };
  const mistakes = await checkManifest(written, root);
  const diagnostics = inOrder([...shape, ...mistakes.map(toDiagnostic)]);
  if (hasError(diagnostics)) return { diagnostics };

  try {
    const action = await loadAction(written, document, at, root);
    if ('code' in action) return { diagnostics: [...diagnostics, action] };
    const warnings = action.kind === 'command' ? warningsOf(action, document, at) : [];
    return {
      manifest: toManifest(written, action, { path: document.path, root, documentation }),
      diagnostics: [...diagnostics, ...warnings],
    };
  } catch (cause) {
    // The file of its function can't be read, or was deleted in the meantime.
    const message = `the tool's code can't be read: ${messageOf(cause)}`;
    return { diagnostics: [toDiagnostic({ pointer: '', code: 'unreadable-file', message })] };
  }
}

const hasError = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

const inOrder = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.length < 2
    ? diagnostics
    : diagnostics.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));

/** Warns of texts after which YAML reads ` #` as the start of a comment that their author may have meant as text. */
function cutByComment(document: SourceDocument, at: string): readonly Diagnostic[] {
  return ['command', 'name', 'description'].flatMap((key): Diagnostic[] => {
    const comment = document.commentAfter(`${at}/${key}`);
    if (!comment) return [];
    const isCommand = key === 'command';
    // "# " after prose is a comment; "#3" is probably part of the text.
    if (!isCommand && !/^#\S/.test(comment.text)) return [];
    return [
      {
        severity: isCommand ? 'error' : 'warning',
        code: 'cut-by-comment',
        message: `YAML reads ${JSON.stringify(shorten(comment.text, 40))} as a comment, so "${key}" ends before it`,
        path: document.path,
        ...comment.place,
        hint: isCommand
          ? 'put the command in quotes, or the comment on a line of its own'
          : 'put the text in quotes',
      },
    ];
  });
}
