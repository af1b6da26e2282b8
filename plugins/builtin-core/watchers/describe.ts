import { parseJson, toJson } from 'pegboard';
import type { Action, HistoryEntry, Target, Watcher } from './tables.ts';

export function describeTarget(target: Target): string {
  if (target.kind === 'files') return `files ${target.pattern}`;
  const part = target.path === undefined ? '' : `, ${target.path}`;
  return `${target.tool} ${toJson(target.args)}${part}`;
}

/** "Watcher 2, active: files docs/*.md, every 60 s, on change → instruction: …" */
export function describeWatcher(watcher: Watcher): string {
  const target = describeTarget(parseJson(watcher.target) as Target);
  const action = describeAction(parseJson(watcher.action) as Action);
  const when = watcher.acts_on === 'change' ? 'on change' : 'each time';
  const trouble =
    watcher.failures === 0 ? '' : `; failed ${watcher.failures} times in a row: ${watcher.last_error}`;
  return `Watcher ${watcher.id}, ${watcher.state}: ${target}, every ${watcher.interval_s} s, ${when} → ${action}${trouble}`;
}

function describeAction(action: Action): string {
  switch (action.kind) {
    case 'tool':
      return `${action.tool} ${toJson(action.args)}`;
    case 'instruction':
    case 'message':
      return `${action.kind}: ${action.text}`;
  }
}

export function describeEntry({ watcher_id: id, at, event, summary, outcome, detail }: HistoryEntry): string {
  const what = outcome === 'none' ? '' : `; then: ${outcome}`;
  return `${at}, watcher ${id} ${event}: ${summary}${what}${detail === null ? '' : ` (${detail})`}`;
}
