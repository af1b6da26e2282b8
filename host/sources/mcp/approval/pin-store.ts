import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../../core/files/json-file.ts';
import { withFileLock } from '../../../store/files/file-lock.ts';
import { fileNameFor } from '../oauth/file-name.ts';
import type { Pin, PinStore } from './pins.ts';
import { isObject } from '../transport/rpc-message.ts';

/** One file for each server with what was approved. It is kept when the cached catalogue is deleted. */
export function openPinStore(folder: string): PinStore {
  const pathOf = (server: string): string => join(folder, fileNameFor(server));
  const store: PinStore = {
    get(server) {
      const stored = readJsonFile(pathOf(server));
      if (!isObject(stored) || !Array.isArray(stored['tools'])) return undefined;
      const tools = new Map(stored['tools'].filter(isEntry));
      const seen = typeof stored['seen'] === 'string' ? stored['seen'] : new Date(0).toISOString();
      return { seen, tools, ...(isPin(stored['instructions']) && { instructions: stored['instructions'] }) };
    },
    async update(server, change) {
      const path = pathOf(server);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await withFileLock(path, async () => {
        const next = change(store.get(server));
        const { seen, tools, instructions } = next;
        await writeJsonFile(path, { seen, tools: [...tools], ...(instructions && { instructions }) });
        return next;
      });
    },
  };
  return store;
}

const isPin = (value: unknown): value is Pin =>
  isObject(value) && typeof value['hash'] === 'string' && isObject(value['definition']);

const isEntry = (value: unknown): value is [string, Pin] =>
  Array.isArray(value) && typeof value[0] === 'string' && isPin(value[1]);
