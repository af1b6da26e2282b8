import { join } from 'node:path';
import { parseJson, toJson } from '../../../core/documents/written-numbers.ts';
import { localDocuments, readIfThere, type Documents } from '../../../store/documents/documents.ts';
import { fileNameFor } from '../oauth/file-name.ts';
import type { Pin, Pins, PinStore } from './pins.ts';
import { isObject } from '../transport/rpc-message.ts';

/** One file for each server with what was approved. It is kept when the cached catalogue is deleted. */
export function openPinStore(folder: string, documents: Documents = localDocuments): PinStore {
  const pathOf = (server: string): string => join(folder, fileNameFor(server));
  return {
    get: (server) => readPins(() => readIfThere(pathOf(server))),
    async update(server, change) {
      let next: Pins;
      await documents.change(pathOf(server), (text) => {
        next = change(readPins(() => text));
        const { seen, tools, instructions } = next;
        return toJson({ seen, tools: [...tools], ...(instructions && { instructions }) });
      });
      return next!;
    },
  };
}

/** Undefined for a file that is missing or can't be read. */
function readPins(read: () => string | undefined): Pins | undefined {
  let stored: unknown;
  try {
    stored = parseJson(read() ?? '');
  } catch {
    return undefined;
  }
  if (!isObject(stored) || !Array.isArray(stored['tools'])) return undefined;
  const tools = new Map(stored['tools'].filter(isEntry));
  const seen = typeof stored['seen'] === 'string' ? stored['seen'] : new Date(0).toISOString();
  return { seen, tools, ...(isPin(stored['instructions']) && { instructions: stored['instructions'] }) };
}

const isPin = (value: unknown): value is Pin =>
  isObject(value) && typeof value['hash'] === 'string' && isObject(value['definition']);

const isEntry = (value: unknown): value is [string, Pin] =>
  Array.isArray(value) && typeof value[0] === 'string' && isPin(value[1]);
