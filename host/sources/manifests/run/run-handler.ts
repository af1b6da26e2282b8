import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ToolOutput } from '../../../api/result.ts';
import type { ToolCall } from '../../../api/tool.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';

/** `(args, call)`, as a tool's `execute`. */
type Handler = (args: unknown, call: ToolCall) => ToolOutput | Promise<ToolOutput>;

type Exports = { readonly [name: string]: unknown };

/** As they were when their code was last allowed to run. */
const allowed = new Map<string, Exports>();

/**
 * Imports the file at the first call and after each of its changes; what it imports in turn stays as it was first read.
 * `check` throws while its code may not run; then the version that ran before goes on in this process, if there is one.
 * Throws PEG_TOOL_FAILED when it can't be imported or has no such function.
 */
export async function runHandler(
  { file, export: name }: { readonly file: string; readonly export: string },
  args: unknown,
  call: ToolCall,
  check: () => void,
): Promise<ToolOutput> {
  const exports = lastAllowed(file, call, check) ?? (await importFile(file));
  allowed.set(file, exports);
  const handler = exports[name];
  if (typeof handler === 'function') return await (handler as Handler)(args, call);
  const names = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${file} exports no function "${name}"${names.length > 0 ? `; it exports ${names.join(', ')}` : ''}.`,
  );
}

/** Undefined: the file may run as it is now. */
function lastAllowed(file: string, { tool, log }: ToolCall, check: () => void): Exports | undefined {
  try {
    check();
    return undefined;
  } catch (cause) {
    const { message, data } = cause as PegboardError;
    const before = allowed.get(file);
    const known = (data as { readonly known?: boolean } | undefined)?.known === true;
    if (before && known) {
      log.warn(`${tool.id} runs as it was before: ${message}`);
      return before;
    }
    throw new PegboardError('PEG_DENIED', `${tool.id} was not run: ${message}`, { cause });
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
