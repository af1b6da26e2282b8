/** A folder beside the home that the owner has listed for file tools. `path` is absolute and real. */
export interface ListedRoot {
  readonly path: string;
  readonly write: 'free' | 'ask';
}

/** What decides where whoever acts may write. All paths are absolute and real: symbolic links are resolved. */
export interface Places {
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
}
