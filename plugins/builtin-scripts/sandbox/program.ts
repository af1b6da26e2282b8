import { stripTypeScriptTypes } from 'node:module';
import { asSentence } from 'pegboard';
import type { ThrownError } from './messages.ts';

/** The file name of the program in stack traces. */
export const programFile = 'script.ts';

/** Lines of `toFunction` before the first one of the program. */
const linesBefore = 1;

/** The line of the program that a stack trace names first, from 1 on. */
export function lineIn(stack: string): number | undefined {
  const [, line] = new RegExp(`${programFile}:(\\d+)`).exec(stack) ?? [];
  return line === undefined ? undefined : toLine(line);
}

/** Undefined outside of the program. */
function toLine(line: string): number | undefined {
  const own = Number(line) - linesBefore;
  return own > 0 ? own : undefined;
}

/** The program as an async function in JavaScript. Throws when it crashes Node's parser, which this thread can't use again. */
export function toFunction(program: string): { readonly code: string } | { readonly error: ThrownError } {
  try {
    return { code: stripTypeScriptTypes(`(async () => {\n${program}\n})`) };
  } catch (cause) {
    const { code, message, stack = '' } = cause as Error & { readonly code?: string };
    if (!(cause instanceof SyntaxError))
      throw new Error("Node's TypeScript parser crashes on it: it may be nested too deeply", { cause });
    // The stack begins with the position, before its frames: ":3".
    const [, line] = /^:(\d+)\n/.exec(stack) ?? [];
    const at = line === undefined ? undefined : toLine(line);
    return {
      error: {
        name: 'SyntaxError',
        message: code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' ? unsupported(message) : message,
        line: at,
      },
    };
  }
}

/** Node's message, as sentences that say what to write instead. */
function unsupported(message: string): string {
  const [, what] = /^TypeScript (.+) is not supported in strip-only mode$/.exec(message) ?? [];
  return what === undefined
    ? asSentence(message)
    : `A TypeScript ${what} is not supported. Types are only removed, so it has to be written in JavaScript.`;
}
