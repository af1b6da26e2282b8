import type { Origin } from './provenance.ts';

/** A command that runs, or ran. */
export interface NamingCommand {
  /** The text that a shell reads; also words of it, with quotes removed. */
  readonly command: string;
  readonly words?: readonly string[];
  /** Absolute: the folder that it runs in. */
  readonly cwd: string;
}

/** Which files of the home hold what others wrote: received in a chat, fetched, or written after reading such things. */
export interface FileOrigins {
  /** An absolute path; of a folder, all that lies in it. It counts until the file is gone, also under another name. */
  note(path: string, origin: Origin): Promise<void>;
  /** What a command wrote: files that it names, and all that changed in its folder since `began`, in milliseconds. */
  noteWritten(ran: NamingCommand, began: number, origin: Origin): Promise<void>;
  /** Of the file at an absolute path; undefined: its words are the owner's. */
  of(path: string): Origin | undefined;
  /** Of a file that a text, such as a command, names in any way; better too often than too rarely. */
  namedIn(text: string): Origin | undefined;
  /** Of a file that a command names, or a path outside of the home that it names: that isn't the owner's either. */
  readBy(command: NamingCommand, folders: 'whole' | 'not read'): Origin | undefined;
  /** Of any file in a folder, whose name or text a program may show that was told only the folder. */
  within(folder: string): Origin | undefined;
}
