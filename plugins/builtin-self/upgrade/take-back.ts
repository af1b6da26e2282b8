import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What is on disk while a clone is upgraded. */
export interface Journal {
  /** The process that upgrades, and when it was started, where the system says so. */
  readonly pid: number;
  readonly start?: string;
  /** Commits. */
  readonly from: string;
  readonly to: string;
  /** Absolute. */
  readonly home: string;
  /** The home's data from before; absent when there was none. */
  readonly backup?: string;
  /** The new version has been started on the home. */
  readonly booted: boolean;
}

interface TakeBack {
  readonly folderOf: (root: string) => string;
  readonly startOf: (pid: number) => string | undefined;
  readonly takeBack: (root: string, journal: Journal) => void;
}

export const takeBackFile = (root: string): string => join(root, 'bin/take-back.cjs');

/** Loads the code that takes an upgrade back, before the upgrade can replace it. */
export const loadTakeBack = (root: string): TakeBack =>
  createRequire(import.meta.url)(takeBackFile(root)) as TakeBack;
