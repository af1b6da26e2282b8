/** A folder beside the home that the owner has listed for file tools. `path` is absolute and real. */
export interface ListedRoot {
  readonly path: string;
  readonly write: 'free' | 'ask';
}

/** What decides where whoever acts may write. All paths are absolute and real: symbolic links are resolved. */
export interface KnownFolders {
  readonly home: string;
  /** The folder that Pegboard itself is installed in. */
  readonly installation: string;
  /** The user's own folder for what Pegboard trusts. */
  readonly userState: string;
  /** What belongs to whoever acts: `workspace` of its space, or of the home where no space acts. */
  readonly workspaces: readonly string[];
  /** Beside the home. Of two within each other the inner one counts. */
  readonly roots: readonly ListedRoot[];
  /** Files and folders that a manifest, hook, server or schedule names. */
  readonly named: readonly string[];
  /** Folders beside what runs there: only documents in them are as free as the folder. */
  readonly dependencyFolders: readonly string[];
}

/** Texts in which files are named, such as a command, for `KnownFolders.named`. */
export interface FileMentions {
  readonly texts: readonly string[];
  /** Where relative names start; absolute. */
  readonly folders: readonly string[];
  /** Files and folders that are run as they are, with all that is in them; absolute. */
  readonly runs?: readonly string[];
  /** Words for people or models: a name in them is one, and nothing runs because of it. */
  readonly prose?: boolean;
}
