import type { ManifestParameter } from 'pegboard/kit';

/** Something that a project's folder offers to run. */
export interface FoundScript {
  /** As the program calls it: "test:unit". */
  readonly name: string;
  readonly description?: string | undefined;
  /** The words of its command, quoted, with {{ }} for parameters. */
  readonly command: string;
  readonly parameters?: readonly ManifestParameter[];
  /** What it does, or what of it was left out. For people. */
  readonly documentation?: string | undefined;
}

/** A file with scripts: package.json, Makefile, justfile, Taskfile.yml. */
export interface ScriptFile {
  /** Its name in the folder. */
  readonly file: string;
  readonly scripts: readonly FoundScript[];
  readonly leftOut: readonly { readonly what: string; readonly why: string }[];
}

/** What a reader of one kind of file gets. */
export interface ScriptSource {
  readonly file: string;
  readonly text: string;
  /** The folder as the command names it, quoted. */
  readonly folder: string;
  /** Names of the files in the folder. */
  readonly siblings: readonly string[];
}

/** Whether a name can stand in a command without quotes, and can't be read as an option. */
export const isPlainName = (name: string): boolean => /^[\w.][\w.:/+-]*$/.test(name);
