import { PegboardError, type StructuredResult } from 'pegboard';
import { toBytes, toText } from '../content.ts';
import { changeText, type TextChange } from '../edit/change-text.ts';
import { linesIn, previewOf, type PreviewOptions } from '../edit/preview.ts';
import { maxFileBytes, toMegabytes } from '../files.ts';
import type { FileContent } from '../file-content.ts';
import { findLines } from '../search/find-lines.ts';
import { linesAround, type LinesAround, type NumberedLine } from '../search/lines-around.ts';
import { showLines, type Section } from './read-lines.ts';

export interface ChangeJob {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly change: TextChange;
  readonly preview: PreviewOptions;
}

export interface ChangedText {
  readonly after: Uint8Array;
  readonly preview: string;
  /** Occurrences that an edit has replaced. */
  readonly replaced: number;
  /** "20 lines" */
  readonly lines: string;
}

const buffer = ({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(bytes, byteOffset, byteLength);

/** What takes time in the content of a file. Arguments and results are data, so that a thread can do it as well. */
export const fileJobs = {
  /** Undefined for a binary file. */
  read({ bytes, section, file }: ReadJob): StructuredResult<FileContent> | undefined {
    const content = toText(buffer(bytes));
    return content && showLines(content.text, section, file);
  },
  change({ path, before, change, preview }: ChangeJob): ChangedText {
    const old = before && toText(buffer(before));
    if (before && !old) throw failed(`${path} is a binary file: only text is written.`);
    const { text, form, replaced } = changeText(path, old, change);
    const after = toBytes(text, form);
    if (!after)
      throw failed(`${path} is not UTF-8, and its 8-bit encoding lacks some of the new characters.`);
    if (after.length > maxFileBytes)
      throw failed(
        `The new content has ${toMegabytes(after.length)} MB; files up to ${toMegabytes(maxFileBytes)} MB are written.`,
      );
    const shown = previewOf(path, { before: old?.text, after: text, ...preview });
    return { after, preview: shown, replaced, lines: linesIn(text) };
  },
  /** Undefined for a binary file. */
  linesAround({ bytes, around }: LinesJob): readonly NumberedLine[] | undefined {
    const content = toText(buffer(bytes));
    return content && linesAround(content.text, around);
  },
  findLines,
};

export interface ReadJob {
  readonly bytes: Uint8Array;
  readonly section: Section;
  readonly file: FileContent;
}

export interface LinesJob {
  readonly bytes: Uint8Array;
  readonly around: LinesAround;
}

export type FileJobs = typeof fileJobs;
export type JobName = keyof FileJobs;

const failed = (message: string): PegboardError => new PegboardError('PEG_TOOL_FAILED', message);
