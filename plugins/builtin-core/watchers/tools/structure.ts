import { parseJson } from 'pegboard';
import type { Action, HistoryEntry, Target, Watcher } from '../tables.ts';

const textOrNull = { type: ['string', 'null'] } as const;

/** A watcher for programs. Times are ISO 8601 in UTC. */
export const watcherItem = {
  type: 'object',
  required: [
    'id',
    'state',
    'target',
    'action',
    'interval_s',
    'acts_on',
    'failures',
    'last_error',
    'checked_at',
    'next_at',
  ],
  properties: {
    id: { type: 'integer' },
    state: { enum: ['active', 'paused', 'stopped'] },
    target: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { enum: ['files', 'tool'] },
        pattern: { type: 'string' },
        tool: { type: 'string' },
        args: {},
        path: { type: 'string' },
      },
    },
    action: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { enum: ['instruction', 'tool', 'message'] },
        text: { type: 'string' },
        tool: { type: 'string' },
        args: {},
      },
    },
    interval_s: { type: 'number' },
    acts_on: { enum: ['change', 'interval'] },
    failures: { type: 'integer', description: 'In a row.' },
    last_error: textOrNull,
    checked_at: textOrNull,
    next_at: { type: 'string' },
  },
} as const;

export function toWatcherItem(watcher: Watcher) {
  const { id, state, interval_s, acts_on, failures, last_error, checked_at, next_at } = watcher;
  const target = parseJson(watcher.target) as Target;
  const action = parseJson(watcher.action) as Action;
  return { id, state, target, action, interval_s, acts_on, failures, last_error, checked_at, next_at };
}

/** What a watcher saw and did once. */
export const historyItem = {
  type: 'object',
  required: ['id', 'watcher_id', 'at', 'event', 'summary', 'outcome', 'detail'],
  properties: {
    id: { type: 'integer' },
    watcher_id: { type: 'integer' },
    at: { type: 'string' },
    event: { enum: ['changed', 'checked', 'failed', 'recovered'] },
    summary: { type: 'string' },
    outcome: { enum: ['none', 'running', 'done', 'failed', 'uncertain'] },
    detail: textOrNull,
  },
} as const;

export function toHistoryItem({ job: _job, ...entry }: HistoryEntry) {
  return entry;
}

/** A watcher and the state that it is in now. */
export const switchedWatcher = {
  type: 'object',
  required: ['id', 'state'],
  properties: { id: { type: 'integer' }, state: watcherItem.properties.state },
} as const;
