import { signal, type Signal } from '@preact/signals';
import type { CallResult } from '../../../wire.ts';

/** What was entered for a tool, and what its last run returned. */
export interface Draft {
  readonly args: Signal<object>;
  /** The arguments as JSON text, while they are edited so. */
  readonly json: Signal<string | undefined>;
  /** Set while it runs. */
  readonly running: Signal<AbortController | undefined>;
  readonly result: Signal<CallResult | undefined>;
  /** Why there is no result. */
  readonly problem: Signal<string | undefined>;
}

/** In memory alone: arguments may be secrets. */
const drafts = new Map<string, Draft>();

/** Stays when another screen is looked at. */
export function draftOf(tool: string): Draft {
  const known = drafts.get(tool);
  if (known) return known;
  const draft: Draft = {
    args: signal({}),
    json: signal(undefined),
    running: signal(undefined),
    result: signal(undefined),
    problem: signal(undefined),
  };
  drafts.set(tool, draft);
  return draft;
}
