import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { once } from 'pegboard/kit';
import { guestBridge } from './guest-bridge.ts';

/** The engine of scripts as WebAssembly. */
export const readEngine = async (): Promise<Buffer<ArrayBuffer>> =>
  await readFile(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm')));

/** Of the engine and the bridge: what one has saved, only the same can go on with. */
export const sandboxVersion = once(async (): Promise<string> =>
  createHash('sha256')
    .update(await readEngine())
    .update(guestBridge(0, undefined))
    .digest('hex'),
);
