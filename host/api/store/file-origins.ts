import type { Origin } from '../provenance.ts';

/** A shell command that runs or has run. */
export interface NamingCommand {
  /** The text for the shell, and optionally its words with quotes removed. */
  readonly command: string;
  readonly words?: readonly string[];
  /** Absolute path of the working directory. */
  readonly cwd: string;
}

/** Records which files of the home hold untrusted content: received in a chat, fetched, or written after reading such content. */
export interface FileOrigins {
  /** Marks an absolute path; a folder with everything in it. The mark follows renames and lasts until the file is deleted. */
  note(path: string, origin: Origin): Promise<void>;
  /** Marks what a command wrote: files that it names, and files in its folder that changed since `began` (milliseconds). */
  noteWritten(ran: NamingCommand, began: number, origin: Origin): Promise<void>;
  /** The origin of the file at an absolute path. Undefined: its content is trusted. */
  of(path: string): Origin | undefined;
  /** The origin of any of the files at these real paths, for what shows their names. */
  ofAny(paths: Iterable<string>): Origin | undefined;
  /** The origin of a file that a text, such as a command, may name. Prefers false positives to misses. */
  namedIn(text: string): Origin | undefined;
  /**
   * The origin of a file that a command names. A path outside of the home and of `own`, folders that the user trusts, also
   * counts as untrusted.
   */
  readBy(command: NamingCommand, folders: 'whole' | 'not read', own?: readonly string[]): Origin | undefined;
  /** The origin of any marked file in a folder, for programs that get only the folder and may print its content. */
  within(folder: string, own?: readonly string[]): Origin | undefined;
}
