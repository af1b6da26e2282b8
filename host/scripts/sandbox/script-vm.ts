import { Intrinsics, QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { guestBridge, hostFunctions } from './guest-bridge.ts';
import { maxLogLength, maxOutboxLength } from './limits.ts';
import { lineIn, programFile } from './program.ts';
import type { GivenAnswer, GuestEnd, ScriptRequest, Step, ThrownError, VmLimits } from './messages.ts';

/** A script in a VM of its own. Between two steps it waits for answers, and does nothing. */
export interface ScriptVm {
  /** Runs an async function in JavaScript until it waits or ends. */
  begin(code: string): Step;
  /** Goes on with these answers until it waits again or ends. */
  resume(answers: readonly GivenAnswer[]): Step;
}

/** The language itself: no clock but Date, nothing of the web. */
const intrinsics =
  Intrinsics.ALL & ~(Intrinsics.PERFORMANCE | Intrinsics.DOM_EXCEPTION | Intrinsics.ATOB_BTOA);
/** Bytes. */
const maxStackSize = 256 * 1024;

/** Loads nothing: `wasm` is the compiled module of quickjs-wasi. */
export async function openScriptVm(
  wasm: WebAssembly.Module,
  limits: VmLimits,
  args?: string,
): Promise<ScriptVm> {
  let requests: ScriptRequest[] = [];
  let log: string[] = [];
  let outbox = 0;
  let logged = 0;
  let usedMs = 0;
  let startedAt = cpuMs();
  let exceeded: 'cpu' | 'memory' | undefined;
  let end: GuestEnd | undefined;

  const interruptHandler = (): boolean => {
    if (usedMs + cpuMs() - startedAt > limits.cpuMs) exceeded ??= 'cpu';
    return exceeded !== undefined;
  };
  const { memory: memoryLimit } = limits;
  const options = { wasm, memoryLimit, maxStackSize, intrinsics, timezoneOffset: 0, interruptHandler };
  const vm = await QuickJS.create(options);
  const offer = (name: string, run: (...args: JSValueHandle[]) => boolean | void): void => {
    using made = vm.newFunction(name, (...args) => {
      return run(...args) === false ? vm.false : vm.true;
    });
    vm.setProp(vm.global, name, made);
  };
  offer(hostFunctions.request, (id, kind, name, args) => {
    const request = {
      id: id.toNumber(),
      kind: kind.toString(),
      name: name.toString(),
      args: args.toString(),
    };
    outbox += request.name.length + request.args.length;
    if (outbox > maxOutboxLength) exceeded ??= 'memory';
    else requests.push(request as ScriptRequest);
    return exceeded === undefined;
  });
  offer(hostFunctions.log, (line) => {
    if (logged >= maxLogLength) return;
    const text = line.toString().slice(0, maxLogLength - logged);
    logged += text.length + 1;
    log.push(text);
  });
  offer(hostFunctions.end, (kind, json) => {
    end ??= toEnd(kind.toString(), json.toString());
  });
  using bridge = vm.evalCode(guestBridge(limits.calls, args), 'bridge');
  const settle = bridge.getProp('0');
  vm.setProp(vm.global, hostFunctions.end, bridge);

  const step = (work: () => void): Step => {
    startedAt = cpuMs();
    try {
      work();
      vm.executePendingJobs();
    } catch (cause) {
      exceeded ??= isOutOfMemory(cause as Error) ? 'memory' : undefined;
      end ??= { kind: 'threw', error: toThrown(cause as Error) };
    }
    usedMs += cpuMs() - startedAt;
    if (exceeded) end = { kind: 'exceeded', limit: exceeded };
    const done = { requests, log, usedMs, end };
    [requests, log, outbox] = [[], [], 0];
    return done;
  };
  return {
    begin: (code) => step(() => vm.evalCode(calling(code), programFile).dispose()),
    resume: (answers) =>
      step(() => {
        for (const [id, json] of answers) {
          using number = vm.newNumber(id);
          using text = vm.newString(json);
          vm.callFunction(settle, vm.undefined, number, text).dispose();
        }
      }),
  };
}

/** What the program throws or returns ends the script. Nothing that it overwrites is used here. */
const calling = (code: string): string =>
  `{ const [, finish, fail] = ${hostFunctions.end}; delete globalThis.${hostFunctions.end}; (async (run) => { let value; try { value = await run(); } catch (error) { return fail(error); } finish(value); })(${code}); }`;

function toEnd(kind: string, json: string): GuestEnd {
  if (kind === 'returned') return { kind, json: json === '' ? undefined : json };
  // There was no memory left to describe the error.
  if (kind !== 'threw') return { kind: 'exceeded', limit: 'memory' };
  const thrown = parseJson(json) as ThrownInGuest;
  return isOutOfMemory(thrown) ? { kind: 'exceeded', limit: 'memory' } : { kind, error: toThrown(thrown) };
}

interface ThrownInGuest {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string | undefined;
}

function toThrown({ name, message, code, stack = '' }: ThrownInGuest): ThrownError {
  return { name, message, code, line: lineIn(stack) };
}

const isOutOfMemory = ({ message }: Pick<Error, 'message'>): boolean => /\bout of memory$/.test(message);

/** Milliseconds of processor time of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
