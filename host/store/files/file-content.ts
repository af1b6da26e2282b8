import { relative } from 'node:path';
import type { Artifacts } from '../../api/store/artifacts.ts';
import type { Content } from '../../api/result.ts';
import { textInBytes } from '../../core/text/text-in-bytes.ts';

/** Maximum size of an image that is shown to a model. */
const maxImageBytes = 5 * 1024 * 1024;
/** Maximum characters of a text file that is included in the message. */
const maxInlineLength = 20_000;

/** A file of a message. */
export interface GivenFile {
  /** Untrusted text. */
  readonly name: string;
  /** May be empty. */
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** The files of one message: content for the model, and notes about files that it can't see. */
export interface ReceivedContent {
  readonly content: readonly Content[];
  readonly notes: string[];
}

interface FilePlaces {
  readonly artifacts: Pick<Artifacts, 'write'>;
  /** Puts the file where file tools can read it. Both paths are absolute. */
  readonly save: () => Promise<{ readonly path: string; readonly home: string }>;
}

/** Images become content, short texts part of the message, long texts artifacts; other files are saved. */
export async function contentOfFile(
  { name, mimeType, bytes }: GivenFile,
  { artifacts, save }: FilePlaces,
): Promise<ReceivedContent> {
  if (/^image\/(png|jpeg|webp|gif)$/.test(mimeType) && bytes.length <= maxImageBytes)
    return {
      content: [{ type: 'image', data: bytes.toString('base64'), mimeType }],
      notes: [`[image ${name}]`],
    };
  const label = labelOf(name);
  const text = textInBytes(bytes);
  if (text !== undefined && text.length <= maxInlineLength)
    return note(`[${label} says:]\n${text}\n[end of ${label}]`);
  if (text !== undefined) {
    const id = await artifacts.write(text);
    return note(`[${label}, ${text.length} characters: read_artifact pages through it as ${id}]`);
  }
  try {
    const { path, home } = await save();
    const kind = mimeType || 'unknown kind';
    return note(`[${label} (${kind}, ${bytes.length} bytes) is in the home as ${relative(home, path)}]`);
  } catch (thrown) {
    return note(`[${label} could not be saved: ${(thrown as Error).message}]`);
  }
}

export const labelOf = (name: string): string => `the file ${name.replaceAll(/[\p{C}\n]+/gu, ' ')}`;

export const note = (text: string): ReceivedContent => ({ content: [], notes: [text] });
