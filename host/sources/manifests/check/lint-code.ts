import { stripTypeScriptTypes } from 'node:module';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { shorten } from '../../../core/text/shorten.ts';

/** It may quote what it found. */
const maxMessageLength = 300;

/** The file on which Node's parser broke: it reads nothing more in this process. */
let brokenBy: string | undefined;

/** What Node would report about the file before running it. Nothing is run. */
export function lintCode(text: string, path: string): readonly Diagnostic[] {
  if (brokenBy !== undefined) {
    const message = `not checked: Node's TypeScript parser broke on ${brokenBy}; fix that file and lint again`;
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
      const message = "Node's TypeScript parser breaks on this file: it may be nested too deeply";
      return [{ severity: 'error', code: 'syntax-error', message, path }];
    }
    // Before its frames the stack has the place: ":3", the lines, and a mark below.
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
