import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Content, type Origin, parseJson, toJson } from 'pegboard';
import type { SavedVm } from './sandbox/messages.ts';
import type { SavedScript } from './sandbox/run-script.ts';

/** A call that the script made. */
export interface MadeCall {
  readonly tool: string;
  /** "ok", or the code of its error. */
  readonly outcome: string;
  /** Characters of its result as JSON. */
  readonly size: number;
  /** Of a call that was cancelled and isn't one that only reads. */
  readonly effect?: 'unknown' | 'none';
}

/** What is known of the calls of a script. */
export interface CallsState {
  /** The calls that have ended, in that order, by the number of their request. */
  readonly made: readonly (readonly [request: number, call: MadeCall])[];
  readonly media: readonly Content[];
  /** What was declined. */
  readonly declined: readonly string[];
  /** Who wrote what they read. */
  readonly origins: readonly Origin[];
}

/** A script that waits, with its calls. */
export interface SavedState {
  readonly script: SavedScript;
  readonly calls: CallsState;
}

type Header = Omit<SavedScript, 'vm'> & Omit<SavedVm, 'memory'> & CallsState;

/** Bytes of a script that is still saved, compressed. */
const maxSavedBytes = 16 * 2 ** 20;
/** Bytes before the header: its length. */
const lengthBytes = 4;

/** Undefined: it is too large. */
export async function writeState(raw: Uint8Array): Promise<Uint8Array | undefined> {
  const bytes = await promisify(zstdCompress)(raw);
  return bytes.length > maxSavedBytes ? undefined : bytes;
}

/** Before it is compressed, so that it can be searched. */
export function layOut({ script, calls }: SavedState): Buffer {
  const { vm, ...rest } = script;
  const { memory, ...place } = vm;
  const header = Buffer.from(toJson({ ...rest, ...place, ...calls } satisfies Header));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, memory]);
}

export async function readState(bytes: Uint8Array): Promise<SavedState> {
  const raw = await promisify(zstdDecompress)(bytes);
  const start = lengthBytes + raw.readUInt32LE(0);
  const header = parseJson(raw.toString('utf8', lengthBytes, start)) as Header;
  const { open, log, bridge, logged, usedMs, ...calls } = header;
  const memory = Uint8Array.from(raw.subarray(start));
  return { script: { vm: { memory, bridge, logged, usedMs }, open, log }, calls };
}
