import { PegboardError, type ToolCall } from 'pegboard';
import { maySee } from '../../background/origin.ts';
import type { Watcher } from '../tables.ts';
import type { Watching } from '../watching.ts';

/** Throws PEG_TOOL_FAILED when there is no such watcher, or it belongs to another caller. */
export async function findWatcher(watching: Watching, id: number, call: ToolCall): Promise<Watcher> {
  const watcher = await (await watching.store()).find(id);
  if (watcher && maySee(call, watcher)) return watcher;
  throw new PegboardError('PEG_TOOL_FAILED', `There is no watcher ${id}. watch_list lists them.`);
}

export const idParameter = { type: 'integer', minimum: 1, description: 'Its number.' } as const;

/** Parameters of a tool that takes one watcher. */
export const oneWatcher = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: idParameter },
} as const;
