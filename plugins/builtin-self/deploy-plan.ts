import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A deploy, from the restart to the verdict. On disk, so that whoever goes on after a kill knows where it stands. */
export interface DeployPlan {
  /** Of the version to go back to, for people. */
  readonly tag: string;
  /** Commits: to go back to, and to put into service. */
  readonly good: string;
  readonly tried: string;
  /** Absolute. */
  readonly root: string;
  readonly home: string;
  /** A file that is deleted before going back: room on a disk that is full by then. */
  readonly reserve: string;
  readonly restart: readonly string[];
  readonly health: readonly string[];
  /** Tells whoever asked for it, where no host does. */
  readonly tell: readonly string[];
  /** Seconds, as in the settings. */
  readonly commandLimit: number;
  readonly healthWithin: number;
  readonly healthFor: number;
  /** Who is told how it went. */
  readonly chat: { readonly channel: string; readonly chat: string };
  readonly told: boolean;
  /** `back`: the version before is in service again. `lost`: neither is. */
  readonly state: 'begun' | 'going back' | 'well' | 'back' | 'lost';
  /** What was wrong with the new version, and then with the way back. */
  readonly why?: string;
  /** Of the process that is at it. */
  readonly pid?: number;
  /** Processes that were at it. */
  readonly attempts: number;
  /** `user_version` of the home's database before the restart. */
  readonly databaseVersion?: number;
}

export const planFile = (home: string): string => join(home, 'data/deploy.json');

/** Undefined where there was none, or the file is no longer a plan. */
export function readPlan(file: string): DeployPlan | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DeployPlan;
  } catch {
    return undefined;
  }
}

/** All or nothing. Throws what the disk says. */
export function writePlan(file: string, plan: DeployPlan): void {
  // Not the name that the host gives such files: nothing of it is imported here.
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, JSON.stringify(plan), { mode: 0o600 });
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

export const isOver = ({ state }: DeployPlan): boolean => state !== 'begun' && state !== 'going back';
