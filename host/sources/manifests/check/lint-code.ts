import { stripTypeScriptTypes } from 'node:module';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { shorten } from '../../../core/text/shorten.ts';

/** It may quote what it found. */
const maxMessageLength = 300;

/** The file that crashed Node's parser, which can't be used again in this process. */
let brokenBy: string | undefined;

/** The syntax errors that Node would report before running the file. Nothing is run. */
export function lintCode(text: string, path: string): readonly Diagnostic[] {
  if (brokenBy !== undefined) {
    const message = `not checked: Node's TypeScript parser crashed on ${brokenBy}; fix that file and lint again`;
    return [{ severity: 'warning', code: 'not-checked', message, path }];
  }
  const emitWarning: unknown = Reflect.get(process, 'emitWarning');
  try {
    // Node prints a warning to the terminal that it is experimental.
    process.emitWarning = () => {};
    stripTypeScriptTypes(text);
    return [];
  } catch (cause) {
    const { code, message, stack = '' } = cause as Error & { readonly code?: string };
    if (!(cause instanceof SyntaxError)) {
      brokenBy = path;
      const message = "Node's TypeScript parser crashes on this file: it may be nested too deeply";
      return [{ severity: 'error', code: 'syntax-error', message, path }];
    }
    // The stack begins with the position, before its frames: ":3", the source lines, and a marker below them.
    const [, line] = /^:(\d+)\n/.exec(stack) ?? [];
    const [, before = ''] = /\n( *)\^/.exec(stack) ?? [];
    return [
      {
        severity: 'error',
        code: code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' ? 'unsupported-typescript' : 'syntax-error',
        message: shorten(message, maxMessageLength),
        path,
        ...(line !== undefined && { line: Number(line), column: before.length + 1 }),
        ...(code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' && {
          hint: 'Node only removes types: write it in JavaScript',
        }),
      },
    ];
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning);
  }
}
