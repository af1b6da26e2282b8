/**
 * A thread that runs one script after the other, each in a VM of its own. Its first message says that it is ready; then it
 * answers every message with a Step, or with a SavedVm where that is asked for.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { SentStep, Step, ToThread } from './messages.ts';
import { openScriptVm, restoreScriptVm, type ScriptVm } from './script-vm.ts';
import { toFunction } from './program.ts';

const port = parentPort!;
const wasm = workerData as WebAssembly.Module;
let vm: ScriptVm | undefined;
/** Of all VMs that have ended. */
let heldBytes = 0;

// Node would warn that removing types is experimental.
process.emitWarning = () => {};

async function perform(message: Exclude<ToThread, { readonly save: true }>): Promise<Step> {
  if ('answers' in message) return vm!.resume(message.answers);
  if ('saved' in message) {
    vm = await restoreScriptVm(wasm, message.limits, message.saved);
    return { requests: message.open, log: [], usedMs: message.saved.usedMs };
  }
  const read = toFunction(message.program);
  if ('error' in read) return { requests: [], log: [], usedMs: 0, end: { kind: 'threw', error: read.error } };
  vm = await openScriptVm(wasm, message.limits, message.args);
  return vm.begin(read.code);
}

async function answer(message: ToThread): Promise<void> {
  if ('save' in message) {
    const saved = vm!.save();
    port.postMessage(saved, [saved.memory.buffer as ArrayBuffer]);
    return;
  }
  const step = await perform(message);
  if (step.end) {
    heldBytes += vm?.memoryBytes() ?? 0;
    vm = undefined;
  }
  port.postMessage({ ...step, heldBytes } satisfies SentStep, []);
}

port.on('message', (message: ToThread) => void answer(message));
port.postMessage('ready', []);
