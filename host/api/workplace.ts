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
