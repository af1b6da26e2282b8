import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ToolOutput } from '../../api/result.ts';
import type { ToolCall } from '../../api/tool.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';

/** `(args, call)`, as a tool's `execute`. */
type Handler = (args: unknown, call: ToolCall) => ToolOutput | Promise<ToolOutput>;

/**
 * Imports the file at the first call and after each of its changes; what it imports in turn stays as it was first read.
 * Throws PEG_TOOL_FAILED when it can't be imported or has no such function.
 */
export async function runHandler(
  { file, export: name }: { readonly file: string; readonly export: string },
  args: unknown,
  call: ToolCall,
): Promise<ToolOutput> {
  const handler = await importHandler(file, name);
  return handler(args, call);
}

async function importHandler(file: string, name: string): Promise<Handler> {
  let exports: { readonly [name: string]: unknown };
  try {
    const url = pathToFileURL(file);
    url.searchParams.set('v', hash('sha256', readFileSync(file)).slice(0, 16));
    exports = (await import(url.href)) as typeof exports;
  } catch (cause) {
    throw new PegboardError('PEG_TOOL_FAILED', `${file} can't be loaded: ${messageOf(cause)}`, { cause });
  }
  const handler = exports[name];
  if (typeof handler === 'function') return handler as Handler;
  const names = Object.keys(exports).filter((key) => typeof exports[key] === 'function');
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${file} exports no function "${name}"${names.length > 0 ? `; it exports ${names.join(', ')}` : ''}.`,
  );
}
