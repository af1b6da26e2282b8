import {
  type Content,
  type ErrorCode,
  PegboardError,
  type ToolCall,
  type ToolResult,
  toJson,
} from 'pegboard';
import { isTimeout, plural, withCommas } from 'pegboard/kit';
import type { MadeCall } from './saved-state.ts';
import type { ScriptCalls } from './script-calls.ts';
import type { ScriptLimits } from './sandbox/limits.ts';
import type { ThrownError } from './sandbox/messages.ts';
import type { ScriptEnd } from './sandbox/run-script.ts';

interface Ran {
  readonly call: ToolCall;
  readonly limits: ScriptLimits;
}

/** Only what the script returned and logged, and the images of its calls. Throws what it failed with, and what it had done. */
export function toScriptResult(end: ScriptEnd, { made, madeBy, media }: ScriptCalls, ran: Ran): ToolResult {
  const logged = end.log.length > 0 ? `Logged:\n${end.log.join('\n')}` : undefined;
  if (end.kind !== 'returned') throw failure(end, made, logged, ran);
  const { value, unawaited, unhandled } = end;
  const calls = unawaited.filter(({ kind }) => kind === 'call');
  const texts = [
    logged,
    textOf(value),
    list(
      `${plural(calls.length, 'call')} had not been awaited when the script returned`,
      calls.map((call) => {
        const ended = madeBy(call);
        return ended ? `${ended.tool}: ${outcomeOf(ended)}` : `${call.name}: not run`;
      }),
    ),
    list(`${plural(unhandled.length, 'error')} had not been handled`, unhandled.map(describe)),
  ];
  const content = texts.flatMap((text): Content[] => (text === undefined ? [] : [{ type: 'text', text }]));
  const isData = typeof value === 'object' && value !== null && !Array.isArray(value);
  return { content: [...content, ...media], ...(isData && { structured: value }) };
}

const list = (title: string, lines: readonly string[]): string | undefined =>
  lines.length === 0 ? undefined : `${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`;

function describe({ name, message, code, tool, line }: ThrownError): string {
  const where = line === undefined ? '' : ` (line ${line})`;
  return tool === undefined ? `${name}: ${message}${where}` : `${tool}: ${code ?? name}: ${message}${where}`;
}

/** A call that was cancelled may have changed something all the same. */
function outcomeOf({ outcome, effect }: MadeCall): string {
  if (effect === undefined) return outcome;
  return effect === 'none'
    ? `${outcome}, it was not run`
    : `${outcome}, and whether it took effect is unknown`;
}

function textOf(value: unknown): string {
  if (value === undefined) return '(The script returned nothing.)';
  return typeof value === 'string' ? value : toJson(value);
}

function failure(
  end: Exclude<ScriptEnd, { readonly kind: 'returned' }>,
  made: readonly MadeCall[],
  logged: string | undefined,
  ran: Ran,
): PegboardError {
  const { code, message } = reasonOf(end, ran);
  const line = end.kind === 'threw' ? end.error.line : undefined;
  const text = [message, doneBy(made), logged].filter((part) => part !== undefined).join('\n');
  return new PegboardError(code, text, { data: { ...(line !== undefined && { line }), calls: made } });
}

function reasonOf(
  end: Exclude<ScriptEnd, { readonly kind: 'returned' }>,
  { call, limits }: Ran,
): { readonly code: ErrorCode; readonly message: string } {
  switch (end.kind) {
    case 'threw': {
      const { name, message, code, line } = end.error;
      const where = line === undefined ? '' : ` at line ${line}`;
      return failed(
        `The script failed${where}: ${name}: ${message}${code === undefined ? '' : ` (${code})`}`,
      );
    }
    case 'exceeded':
      return failed(
        end.limit === 'cpu'
          ? `The script was ended: it used more than ${plural(limits.cpu, 'second')} of processor time.`
          : `The script was ended: it needed more than ${limits.memory} MB of memory.`,
      );
    case 'stuck':
      return failed('The script was ended: it waits for a promise that nothing resolves.');
    case 'crashed':
      return failed(`The script could not run: ${end.reason.split('\n', 1)[0]!}`);
    case 'cancelled':
      return isTimeout(call.signal.reason)
        ? {
            code: 'PEG_TIMEOUT',
            message: `${call.tool.id} ${(call.signal.reason as Error).message} and was stopped.`,
          }
        : { code: 'PEG_CANCELLED', message: `${call.tool.id} was cancelled.` };
  }
}

const failed = (message: string) => ({ code: 'PEG_SCRIPT_FAILED', message }) as const;

/** Calls that are named one by one. */
const maxNamed = 30;

/** What has happened in spite of the failure, so that nobody repeats it. */
function doneBy(made: readonly MadeCall[]): string {
  if (made.length === 0) return 'It had called no tool.';
  const named = made
    .slice(-maxNamed)
    .map((call) => `- ${call.tool}: ${outcomeOf(call)}, ${withCommas(call.size)} characters`);
  const left = made.length - named.length;
  const before = left > 0 ? [`- ${plural(left, 'call')} before these`] : [];
  return [`It had made ${plural(made.length, 'call')}:`, ...before, ...named].join('\n');
}
