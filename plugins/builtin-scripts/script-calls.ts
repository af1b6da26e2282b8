import {
  type Ask,
  type Content,
  type Dispatch,
  markUntrusted,
  parseJson,
  PegboardError,
  type RegisteredTool,
  type SearchTools,
  type Snapshot,
  type ToolCall,
  type ToolResult,
  toJson,
} from 'pegboard';
import { lookUp } from 'pegboard/channels';
import {
  distinct,
  isMeta,
  isVisible,
  mayHoldSecrets,
  oneAtATime,
  originsOf,
  riskOf,
  toFailure,
  toInnerRequest,
  withCommas,
} from 'pegboard/kit';
import { declarationOf } from './declarations.ts';
import { maxMessageLength } from './sandbox/limits.ts';
import type { ScriptRequest } from './sandbox/messages.ts';
import type { Answer, ScriptHost } from './sandbox/run-script.ts';
import type { CallsState, MadeCall } from './saved-state.ts';
import { scriptValueOf } from './script-value.ts';

/** What scripts do their work with. Only used when one runs. */
export interface ScriptServices {
  readonly dispatch: Dispatch;
  readonly snapshot: () => Snapshot;
  readonly search: SearchTools;
  /** Whether a script that is saved would take a known secret with it. */
  readonly holdsSecret: (memory: Buffer) => boolean;
}

/** The tools of one script: what it asks for, and what it has done. */
export interface ScriptCalls extends ScriptHost {
  /** In the order in which they ended. */
  readonly made: readonly MadeCall[];
  /** Undefined: it has not ended. */
  readonly madeBy: (request: ScriptRequest) => MadeCall | undefined;
  /** Images and sounds of the results, which no script sees. */
  readonly media: readonly Content[];
  /** Of the calls whose answers the script has: all but those of these requests. */
  without(open: ReadonlySet<number>): CallsState;
}

interface ScriptCallsOptions extends ScriptServices {
  /** Tools that may change something are refused. */
  readonly readOnly: boolean;
  /** Runs `work`, which waits for a person. */
  readonly pausedFor: <T>(work: () => Promise<T>) => Promise<T>;
  /** Awaited before the call of this request has an effect. */
  readonly beforeEffect?: ((request: number) => Promise<void>) | undefined;
  /** Of the turn. */
  readonly declined: Set<string>;
  /** Of a script that goes on. */
  readonly earlier?: CallsState | undefined;
}

const maxFound = 20;
const maxMedia = 10;

/** Every call of a script is a dispatch with `call` as its parent: same rights, questions one at a time, one cancellation. */
export function createScriptCalls(call: ToolCall, options: ScriptCallsOptions): ScriptCalls {
  const { dispatch, snapshot, search, readOnly, pausedFor, beforeEffect, declined, earlier } = options;
  const ask: Ask = oneAtATime((question, signal) => pausedFor(() => call.ask(question, signal)));
  for (const key of earlier?.declined ?? []) declined.add(key);
  /** Requests whose calls may have had an effect. */
  const begun = new Set<number>();
  const made = new Map(earlier?.made);
  const media: Content[] = [...(earlier?.media ?? [])];
  let origins = earlier?.origins ?? [];
  let steps = 0;
  call.recordOrigins?.(origins);

  const run = async (
    { id: request, name }: ScriptRequest,
    args: unknown,
    stopped: AbortSignal,
  ): Promise<ToolResult> => {
    const tool = snapshot().find(name);
    if (tool) refuse(tool, readOnly);
    const id = tool?.id ?? name;
    const result = await dispatch({
      ...toInnerRequest(call, name, args),
      signal: AbortSignal.any([call.signal, stopped]),
      outputLimit: Number.POSITIVE_INFINITY,
      ...(call.isAttended && { ask }),
      declined,
      async beforeEffect() {
        // The call of the script is recorded as begun before it can't go on any more.
        await call.beforeEffect?.();
        await beforeEffect?.(request);
        begun.add(request);
      },
      onProgress(step) {
        if (step.message === undefined) return;
        const own = { progress: ++steps, message: `${id}: ${step.message}` };
        call.progress(markUntrusted(own, ...originsOf(step)));
      },
    });
    origins = distinct([...origins, ...originsOf(result)]);
    return result;
  };
  const callTool = async (request: ScriptRequest, stopped: AbortSignal): Promise<string> => {
    const { id, name, args } = request;
    const result = await run(request, parseJson(args), stopped);
    const found = snapshot().find(name);
    const tool = found?.id ?? name;
    const json = toText(result.error ? { error: result.error } : { value: scriptValueOf(result) });
    const size = json.length;
    made.set(id, {
      tool,
      outcome: result.error?.code ?? 'ok',
      size,
      ...effectOf(result, found, begun.has(id)),
    });
    call.progress({ progress: ++steps, message: `${tool}: ${result.error?.code ?? 'ok'}` });
    const heard = result.content.filter(({ type }) => type === 'image' || type === 'audio');
    media.push(...heard.slice(0, maxMedia - media.length));
    if (size > maxMessageLength) throw tooLarge(tool, size);
    return json;
  };
  const find = async ({ name, args }: ScriptRequest): Promise<Answer> => {
    const { limit = 5 } = parseJson(args) as { readonly limit?: unknown };
    const count = Math.min(maxFound, Math.max(1, Math.floor(Number(limit)) || 1));
    const found = await search(
      { queries: [name] },
      count,
      (tool) => !isMeta(tool) && isVisible(tool, call.scope),
    );
    return {
      value: found
        .filter(({ nearest }) => !nearest)
        .map(({ tool }) => ({ name: tool.id, description: tool.description, types: declarationOf(tool) })),
    };
  };
  return {
    get made() {
      return [...made.values()];
    },
    madeBy: ({ id }) => made.get(id),
    media,
    without: (open) => ({
      made: [...made].filter(([id]) => !open.has(id)),
      media,
      declined: [...declined],
      origins,
    }),
    async answer(request, stopped) {
      try {
        if (request.kind === 'search') return toText(await find(request));
        if (request.kind === 'types')
          return toText({ value: declarationOf(lookUp(snapshot(), request.name, call.scope)) });
        return await callTool(request, stopped);
      } catch (cause) {
        return toText({ error: toFailure('execute', cause) });
      }
    },
  };
}

/** Of a call that was cancelled: whether it had begun by then. */
function effectOf(
  { error }: ToolResult,
  tool: RegisteredTool | undefined,
  hasBegun: boolean,
): Pick<MadeCall, 'effect'> {
  if (error?.code !== 'PEG_CANCELLED' || !tool) return {};
  if (hasBegun) return { effect: 'unknown' };
  return riskOf(tool) === 'low' ? {} : { effect: 'none' };
}

const toText = (answer: Answer): string => toJson(answer);

/** A program is shown and stored as it is, so it must not hold secrets; tools that run others are not needed in one. */
function refuse(tool: RegisteredTool, readOnly: boolean): void {
  if (mayHoldSecrets(tool))
    throw new PegboardError(
      'PEG_DENIED',
      `${tool.id} takes a secret, or the arguments of another tool, and is not run by a script. Call it by itself.`,
    );
  if (!readOnly || riskOf(tool) === 'low') return;
  throw new PegboardError(
    'PEG_DENIED',
    `${tool.id} may change something (risk ${riskOf(tool)}), and this script only reads. Run it outside of the script.`,
  );
}

const tooLarge = (tool: string, size: number): PegboardError =>
  new PegboardError(
    'PEG_LIMIT',
    `${tool} returned ${withCommas(size)} characters, and ${withCommas(maxMessageLength)} is the limit for a script. Ask it for less.`,
  );
