/** A rule of `permissions`: a tool's name with wildcards and, in brackets, which of its calls: "bash(git status *)". */
export interface PermissionRule {
  readonly text: string;
  /** Absolute path of the file that it is written in. */
  readonly file: string;
  /** The folder where its paths start, absolute. */
  readonly folder: string;
}

/** Of all rules that match a call, those that deny come first, then those that ask. */
export interface PermissionRules {
  /** Calls that need no confirmation. */
  readonly allow: readonly PermissionRule[];
  /** Calls that need confirmation every time. */
  readonly ask: readonly PermissionRule[];
  /** Calls that are refused. */
  readonly deny: readonly PermissionRule[];
}

/**
 * What the patterns of rules for a tool match. `command`: the commands of a shell command line. `path`: a file, by its
 * real path. `url`: the host of an address.
 */
export interface PermissionSubject {
  readonly kind: 'command' | 'path' | 'url';
  /** The argument that names it. `prepare` returns its path as `subject`; a command and an address are judged as given. */
  readonly argument: string;
  /** Of a folder the tool reads whatever is inside, so that a denied file below the folder denies the call. */
  readonly readsFolder?: boolean;
}
