import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ToolOutput } from '../../../api/result.ts';
import type { ToolCall } from '../../../api/tool.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import { createOwnSignals, guarded } from '../../../core/platform/exit-guard.ts';
import { plainOutput } from '../../../tools/result.ts';

/** `(args, call)`, as a tool's `execute`. */
type Handler = (args: unknown, call: ToolCall) => ToolOutput | Promise<ToolOutput>;

type Exports = { readonly [name: string]: unknown };

/**
 * Imports the file at the first call and after each change; its own imports stay as they were first read.
 * `runnable` returns the file to import instead, and throws PEG_DENIED while its code may not run. Throws
 * PEG_TOOL_FAILED when it can't be imported or has no such function.
 */
export async function runHandler(
  { file, export: name }: { readonly file: string; readonly export: string },
  args: unknown,
  call: ToolCall,
  runnable: (file: string) => string,
): Promise<ToolOutput> {
  const path = orRefused(call, () => runnable(file));
  const onLate = (cause: unknown): void =>
    call.log.error(`${file}: its code failed where nobody waits for it`, { cause });
  const code = { name: file, remedy: `Change ${file}.`, onLate };
  const exports = await guarded(code, () => importFile(path));
  const handler = exports[name];
  if (typeof handler === 'function')
    return await guarded(code, async () =>
      plainOutput(await (handler as Handler)(...createOwnSignals()([args, call] as const))),
    );
  const names = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${file} doesn't export a function "${name}"${names.length > 0 ? `; it exports ${names.join(', ')}` : ''}.`,
  );
}

function orRefused({ tool }: ToolCall, runnable: () => string): string {
  try {
    return runnable();
  } catch (cause) {
    throw new PegboardError('PEG_DENIED', `${tool.id} was not run: ${messageOf(cause)}`, { cause });
  }
}

async function importFile(file: string): Promise<Exports> {
  try {
    const url = pathToFileURL(file);
    url.searchParams.set('v', hash('sha256', readFileSync(file)).slice(0, 16));
    return (await import(url.href)) as Exports;
  } catch (cause) {
    throw new PegboardError('PEG_TOOL_FAILED', `${file} can't be loaded: ${messageOf(cause)}`, { cause });
  }
}
