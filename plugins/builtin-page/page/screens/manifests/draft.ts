import { signal, type Signal } from '@preact/signals';
import { parseJson, toJson } from 'pegboard/browser';
import type { StoredText } from '../../../manifests/wire.ts';

/** A text that was typed and not saved. It outlives the page, the host and the session. */
export interface Draft {
  readonly text: string;
  /** What was opened; null for a new manifest. */
  readonly base: StoredText | null;
}

const prefix = 'pegboard-manifest-';

const drafts = new Map<string, Signal<Draft | undefined>>();

/** Why what is typed would be lost with this tab; undefined while it is kept. */
export const keepingProblem = signal<string | undefined>(undefined);

/** The draft of a manifest, by its path. Stays the same signal. */
export function draftOf(path: string): Signal<Draft | undefined> {
  const known = drafts.get(path);
  if (known) return known;
  const draft = signal(readKept(path));
  drafts.set(path, draft);
  return draft;
}

export function keepDraft(path: string, draft: Draft): void {
  draftOf(path).value = draft;
  try {
    localStorage.setItem(prefix + path, toJson(draft));
    keepingProblem.value = undefined;
  } catch {
    keepingProblem.value =
      'This browser has no room left to keep what you type. Save it before you close or reload the page.';
  }
}

export function forgetDraft(path: string): void {
  draftOf(path).value = undefined;
  localStorage.removeItem(prefix + path);
}

/** Paths of all manifests with a draft. */
export const pathsOfDrafts = (): readonly string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));

function readKept(path: string): Draft | undefined {
  try {
    return (parseJson(localStorage.getItem(prefix + path) ?? 'null') as Draft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

// What another tab types is shown here too, so that neither keeps an older text over a newer one.
addEventListener('storage', ({ key }) => {
  if (key?.startsWith(prefix)) draftOf(key.slice(prefix.length)).value = readKept(key.slice(prefix.length));
});
