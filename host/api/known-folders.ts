import type { Scope } from './source.ts';

/** A folder outside the home that the owner has listed for file tools. `path` is absolute, with links resolved. */
export interface ListedRoot {
  readonly path: string;
  readonly write: 'free' | 'ask';
}

/** The folders that decide where a caller may write. All paths are absolute, with symbolic links resolved. */
export interface KnownFolders {
  readonly home: string;
  /** The folder in which Pegboard is installed. */
  readonly installation: string;
  /** The user's own folder. */
  readonly userHome: string;
  /** The user's folder for Pegboard's approvals and pins. */
  readonly userState: string;
  /** The caller's own folders: the `workspace` of its space, or of the home without a space. */
  readonly workspaces: readonly string[];
  /** Listed folders outside the home. Of nested ones the innermost applies. */
  readonly roots: readonly ListedRoot[];
  /** Files and folders that a manifest, hook, server or schedule mentions. */
  readonly named: readonly string[];
  /** Folders next to programs that load files from there. Only documents in them may be written like the rest of the folder. */
  readonly dependencyFolders: readonly string[];
}

/** Texts that mention files, such as commands. Collected for `KnownFolders.named`. */
export interface FileMentions {
  readonly texts: readonly string[];
  /** Absolute folders to resolve relative names against. */
  readonly folders: readonly string[];
  /** Absolute paths of files and folders that are executed, with everything in them. */
  readonly runs?: readonly string[];
  /** The texts are prose for people or models. Nothing is executed because of them. */
  readonly prose?: boolean;
}

/** Where a caller with this scope may write. With its workplace, that includes the project there. */
export type KnownFoldersFor = (scope: Scope, workplace?: Workplace) => Promise<KnownFolders>;

/** Where the person works who makes a call or sends a message. */
export interface Workplace {
  /** The folder in which they stand. Absolute, with symbolic links resolved. */
  readonly folder: string;
  /** The project that the folder belongs to. Absent within the home, and where there is no project. */
  readonly project?: Project;
}

/** A folder outside the home with a `.git`, `.pegboard`, `AGENTS.md` or `CLAUDE.md`. */
export interface Project {
  /** Absolute, with symbolic links resolved. */
  readonly root: string;
  /** The user trusts what is written in it as if they had written it. Otherwise it is untrusted content. */
  readonly isTrusted: boolean;
  /** `free`: the user has allowed writing in it for the rest of the conversation. Default: ask. */
  readonly write?: 'free' | 'ask';
}
