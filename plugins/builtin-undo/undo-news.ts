import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newJournalId } from './undo-store.ts';

/** What the user has undone or redone, in a file for each conversation until its model is told. */
export interface UndoNews {
  /** `text`: one line. */
  add(conversation: number, text: string): void;
  /** Returns them once. */
  take(conversation: number): readonly string[];
}

export function createUndoNews(folder: string): UndoNews {
  return {
    add(conversation, text) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(join(folder, String(conversation)), `${text}\n`, { mode: 0o600 });
    },
    take(conversation) {
      const taken = join(folder, `${conversation}.${newJournalId()}`);
      try {
        renameSync(join(folder, String(conversation)), taken);
      } catch {
        return [];
      }
      const lines = readFileSync(taken, 'utf8').split('\n').filter(Boolean);
      rmSync(taken);
      return lines;
    },
  };
}
