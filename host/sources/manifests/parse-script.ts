import type { Diagnostic } from '../../api/diagnostic.ts';
import { readDocument, type SourceDocument } from '../../core/documents/document.ts';

/** Whether the file is a tool whose program over tools is the file itself. */
export const isScriptPath = (path: string): boolean => path.endsWith('.script.ts');

/** The manifest's keys, in YAML between lines of their own, then the program. */
const form = /^\/\*---\r?\n([\s\S]*?)\r?\n---\*\/[ \t]*(?:\r?\n|$)/;

/** As a manifest whose `script` is what follows the first comment. Its lines keep their numbers. */
export function parseScript(
  text: string,
  path: string,
):
  | { readonly document: SourceDocument; readonly documentation: string }
  | { readonly diagnostics: readonly Diagnostic[] } {
  const [comment, head = ''] = form.exec(text) ?? [];
  if (comment === undefined) {
    const message =
      'the file has to begin with a comment between /*--- and ---*/ that holds the keys of its manifest';
    const hint = 'begin it with /*---, then id, name and description, then ---*/';
    return {
      diagnostics: [{ severity: 'error', code: 'no-front-matter', message, path, line: 1, column: 1, hint }],
    };
  }
  const program = '\n'.repeat(comment.split('\n').length - 1) + text.slice(comment.length);
  // A text in JSON is one in YAML too.
  const manifest = `${head}\nscript: ${JSON.stringify(program)}\n`;
  return { document: readDocument(manifest, { path, format: 'yaml', lineOffset: 1 }), documentation: '' };
}
