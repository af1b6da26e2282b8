import type { Origin } from './provenance.ts';

/** Which files of the home hold what others wrote: received in a chat, fetched, or written after reading such things. */
export interface FileOrigins {
  /** An absolute path; of a folder, all that lies in it. It counts until the file is gone, also under another name. */
  note(path: string, origin: Origin): Promise<void>;
  /** Of the file at an absolute path; undefined: its words are the owner's. */
  of(path: string): Origin | undefined;
  /** Of a file that a text, such as a command, names in any way; better too often than too rarely. */
  namedIn(text: string): Origin | undefined;
}
