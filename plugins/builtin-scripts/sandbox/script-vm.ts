import { Intrinsics, QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { parseJson } from 'pegboard';
import { withCommas } from 'pegboard/kit';
import { guestBridge, hostFunctions } from './guest-bridge.ts';
import { maxLogLength, maxOutboxLength } from './limits.ts';
import { lineIn, programFile } from './program.ts';
import type {
  GivenAnswer,
  GuestEnd,
  SavedVm,
  ScriptRequest,
  Step,
  ThrownError,
  VmLimits,
} from './messages.ts';

/** A script in a VM of its own. Between two steps it waits for answers, and does nothing. */
export interface ScriptVm {
  /** Runs an async function in JavaScript until it waits or ends. */
  begin(code: string): Step;
  /** Goes on with these answers until it waits again or ends. */
  resume(answers: readonly GivenAnswer[]): Step;
  /** Only while it waits. */
  save(): SavedVm;
  memoryBytes(): number;
}

/** The language itself: no clock but Date, nothing of the web. */
const intrinsics =
  Intrinsics.ALL & ~(Intrinsics.PERFORMANCE | Intrinsics.DOM_EXCEPTION | Intrinsics.ATOB_BTOA);
/** Bytes. */
const maxStackSize = 256 * 1024;
/** Rejections that are named. */
const maxUnhandled = 10;

/** Loads nothing: `wasm` is the compiled module of quickjs-wasi. */
export async function openScriptVm(
  wasm: WebAssembly.Module,
  limits: VmLimits,
  args?: string,
): Promise<ScriptVm> {
  const host = createVmHost(limits, { logged: 0, usedMs: 0 });
  const vm = await QuickJS.create(optionsFor(wasm, limits, host));
  for (const [name, run] of host.functions) {
    using made = vm.newFunction(name, callbackOf(vm, run));
    vm.setProp(vm.global, name, made);
  }
  return toScriptVm(vm, host, vm.evalCode(guestBridge(limits.calls, args), 'bridge'));
}

/** Goes on with a script that waited when it was saved. */
export async function restoreScriptVm(
  wasm: WebAssembly.Module,
  limits: VmLimits,
  { memory, bridge, ...used }: SavedVm,
): Promise<ScriptVm> {
  const host = createVmHost(limits, used);
  const vm = await QuickJS.restore(QuickJS.deserializeSnapshot(memory), optionsFor(wasm, limits, host));
  for (const [name, run] of host.functions) vm.registerHostCallback(name, callbackOf(vm, run));
  return toScriptVm(vm, host, vm.importHandle(bridge));
}

type HostCallback = (...args: JSValueHandle[]) => boolean | void;

const callbackOf =
  (vm: QuickJS, run: HostCallback) =>
  (...args: JSValueHandle[]): JSValueHandle =>
    run(...args) === false ? vm.false : vm.true;

const optionsFor = (wasm: WebAssembly.Module, { memory: memoryLimit }: VmLimits, host: VmHost) => ({
  wasm,
  memoryLimit,
  maxStackSize,
  intrinsics,
  timezoneOffset: 0,
  wasi: host.useMemory,
  interruptHandler: host.isInterrupted,
  onUnhandledRejection: host.onRejection,
});

/** What of a script is outside of its VM. */
interface VmHost {
  readonly functions: readonly (readonly [name: string, run: HostCallback])[];
  readonly isInterrupted: () => boolean;
  /** Called with the memory of the VM when it is made. */
  readonly useMemory: (memory: WebAssembly.Memory) => Record<string, never>;
  readonly memoryBytes: () => number;
  readonly logged: number;
  readonly usedMs: number;
  readonly onRejection: (promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean) => void;
  /** Does work in the VM, and returns what came of it. `explain`: what an error of the VM says. */
  step(work: () => void, explain: (reason: JSValueHandle) => ThrownError): Step;
}

function createVmHost(limits: VmLimits, used: Pick<SavedVm, 'logged' | 'usedMs'>): VmHost {
  let requests: ScriptRequest[] = [];
  let log: string[] = [];
  let outbox = 0;
  let memory: WebAssembly.Memory | undefined;
  let rejections: { readonly promise: number; readonly reason: JSValueHandle }[] = [];
  let { logged, usedMs } = used;
  let startedAt = cpuMs();
  let exceeded: 'cpu' | 'memory' | undefined;
  let end: GuestEnd | undefined;

  const isInterrupted = (): boolean => {
    if (usedMs + cpuMs() - startedAt > limits.cpuMs) exceeded ??= 'cpu';
    return exceeded !== undefined;
  };
  const request: HostCallback = (id, kind, name, args) => {
    const made = {
      id: id.toNumber(),
      kind: kind.toString(),
      name: name.toString(),
      args: args.toString(),
    };
    outbox += made.name.length + made.args.length;
    if (outbox > maxOutboxLength) exceeded ??= 'memory';
    else requests.push(made as ScriptRequest);
    return exceeded === undefined;
  };
  const print: HostCallback = (line) => {
    const text = line.toString();
    if (logged < maxLogLength) log.push(text.slice(0, maxLogLength - logged));
    logged += text.length + 1;
  };
  const finish: HostCallback = (kind, json) => {
    end ??= toEnd(kind.toString(), json.toString());
  };
  const onRejection: VmHost['onRejection'] = (promise, reason, isHandled) => {
    if (!isHandled && rejections.length < maxUnhandled)
      rejections.push({ promise: promise.identity, reason: reason.dup() });
    else if (isHandled) rejections = rejections.filter((one) => one.promise !== promise.identity);
  };
  const step: VmHost['step'] = (work, explain) => {
    startedAt = cpuMs();
    try {
      work();
      if (end?.kind === 'returned')
        end = { ...end, unhandled: rejections.map(({ reason }) => explain(reason)) };
    } catch (cause) {
      exceeded ??= isOutOfMemory(cause as Error) ? 'memory' : undefined;
      end ??= { kind: 'threw', error: toThrown(cause as Error) };
    }
    usedMs += cpuMs() - startedAt;
    if (exceeded) end = { kind: 'exceeded', limit: exceeded };
    if (end && logged > maxLogLength) log.push(leftOut(logged - maxLogLength));
    const done = { requests, log, usedMs, end };
    [requests, log, outbox] = [[], [], 0];
    return done;
  };
  return {
    functions: [
      [hostFunctions.request, request],
      [hostFunctions.log, print],
      [hostFunctions.end, finish],
    ],
    isInterrupted,
    useMemory(given) {
      memory = given;
      return {};
    },
    memoryBytes: () => memory?.buffer.byteLength ?? 0,
    onRejection,
    get logged() {
      return logged;
    },
    get usedMs() {
      return usedMs;
    },
    step,
  };
}

const leftOut = (length: number): string =>
  `(${withCommas(length)} more characters were logged and left out: ${withCommas(maxLogLength)} is the limit.)`;

/** `bridge`: the bridge's functions, which stay in the memory of the VM. */
function toScriptVm(vm: QuickJS, host: VmHost, bridge: JSValueHandle): ScriptVm {
  const [settle, start, explain] = [bridge.getProp('0'), bridge.getProp('1'), bridge.getProp('2')];
  const explained = (reason: JSValueHandle): ThrownError => {
    using json = vm.callFunction(explain, vm.undefined, reason);
    return toThrown(parseJson(json.toString()) as ThrownInGuest);
  };
  return {
    begin: (code) =>
      host.step(() => {
        using program = vm.evalCode(code, programFile);
        vm.callFunction(start, vm.undefined, program).dispose();
        vm.executePendingJobs();
      }, explained),
    resume: (answers) =>
      host.step(() => {
        for (const [id, json] of answers) {
          using number = vm.newNumber(id);
          using text = vm.newString(json);
          vm.callFunction(settle, vm.undefined, number, text).dispose();
        }
        vm.executePendingJobs();
      }, explained),
    memoryBytes: host.memoryBytes,
    save: () => ({
      memory: QuickJS.serializeSnapshot(vm.snapshot()),
      bridge: vm.exportHandle(bridge),
      logged: host.logged,
      usedMs: host.usedMs,
    }),
  };
}

function toEnd(kind: string, json: string): GuestEnd {
  if (kind === 'returned') return { kind, json: json === '' ? undefined : json, unhandled: [] };
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
  readonly tool?: string | undefined;
}

function toThrown({ name, message, code, stack = '', tool }: ThrownInGuest): ThrownError {
  return { name, message, code, line: lineIn(stack), tool };
}

const isOutOfMemory = ({ message }: Pick<Error, 'message'>): boolean => /\bout of memory$/.test(message);

/** Milliseconds of processor time of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
