import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A deploy, from the restart to the verdict. Stored on disk, so that it can be resumed after a kill. */
export interface DeployPlan {
  /** The git tag of the version to roll back to, for people. */
  readonly tag: string;
  /** Commits: the version to roll back to, and the one to deploy. */
  readonly good: string;
  readonly tried: string;
  /** Absolute. */
  readonly root: string;
  readonly home: string;
  /** A file that is deleted before a rollback, to free space on a full disk. */
  readonly reserve: string;
  readonly restart: readonly string[];
  readonly health: readonly string[];
  /** Reports the outcome to the requester if no host runs. */
  readonly reportCommand: readonly string[];
  /** Seconds, as in the settings. */
  readonly commandLimit: number;
  readonly healthWithin: number;
  readonly healthFor: number;
  /** The chat that gets the outcome. */
  readonly chat: { readonly channel: string; readonly chat: string };
  readonly reported: boolean;
  /** `back`: the previous version runs again. `lost`: neither version runs. */
  readonly state: 'begun' | 'going back' | 'well' | 'back' | 'lost';
  /** What was wrong with the new version, and then with the rollback. */
  readonly why?: string;
  /** The current supervisor. */
  readonly pid?: number;
  /** Number of supervisors so far. */
  readonly attempts: number;
  /** `user_version` of the home's database before the restart. */
  readonly databaseVersion?: number;
}

export const planFile = (home: string): string => join(home, 'data/deploy.json');

/** Undefined when there is none, or the file is not a valid plan. */
export function readPlan(file: string): DeployPlan | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DeployPlan;
  } catch {
    return undefined;
  }
}

/** Writes atomically. Throws the file system's error. */
export function writePlan(file: string, plan: DeployPlan): void {
  // Differs from the host's name for such files, because nothing of the host is imported here.
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, JSON.stringify(plan), { mode: 0o600 });
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

export const isOver = ({ state }: DeployPlan): boolean => state !== 'begun' && state !== 'going back';
