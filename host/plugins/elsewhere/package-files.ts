import { PegboardError } from '../../core/errors.ts';
import { shortSize } from '../../core/text/short-size.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { maxOwnBytes, maxOwnFiles } from './limits.ts';
import { lockFile } from './lock.ts';

interface PackageFile {
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

/** The files of a plugin by name, with "/" between folders. Every name leads to a place within its folder. */
export type PackageFiles = ReadonlyMap<string, PackageFile>;

/** Letters and digits of any language, and what is common in names of files on every system. */
const fileName = /^[\p{L}\p{N}_@()[\]{}$%&'+,;=!#~.^ -]+$/u;
/** Devices on Windows, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const maxNameLength = 200;
const maxDepth = 20;

export interface FileCollector {
  readonly files: PackageFiles;
  /**
   * Throws PEG_DENIED for a name that leaves the folder, that is there already, or that another system would store
   * otherwise, and PEG_LIMIT for too many or too large files. Hidden files, and the lock file, are left out.
   */
  add(name: string, file: PackageFile): void;
}

/** `from`: for messages. */
export function collectFiles(from: string): FileCollector {
  const files = new Map<string, PackageFile>();
  /** In lower case: some systems don't tell them apart. */
  const taken = new Set<string>();
  let bytes = 0;
  return {
    files,
    add(name, file) {
      const steps = stepsOf(name, from);
      if (steps.includes('node_modules'))
        throw new PegboardError(
          'PEG_DENIED',
          `${from} brings packages along (${shownLine(name)}). It has to list them in "dependencies" of its package.json.`,
        );
      if (steps.some((step) => step.startsWith('.')) || name === lockFile) return;
      const key = name.normalize('NFC').toLowerCase();
      if (taken.has(key))
        throw new PegboardError('PEG_DENIED', `${from} has two files "${shownLine(name)}".`);
      taken.add(key);
      files.set(name, file);
      bytes += file.content.length;
      if (files.size > maxOwnFiles || bytes > maxOwnBytes) throw tooLarge(from);
    },
  };
}

/**
 * The folders of a name and its last part. Throws PEG_DENIED for one that leaves the folder or not every system stores.
 */
export function stepsOf(name: string, from: string): readonly string[] {
  const steps = name.split('/');
  if (steps.length <= maxDepth && steps.every(isFileName)) return steps;
  throw new PegboardError(
    'PEG_DENIED',
    `${from} has a file "${shownLine(name)}", whose name leads out of the folder or can't be stored everywhere.`,
  );
}

export const tooLarge = (from: string): PegboardError =>
  new PegboardError(
    'PEG_LIMIT',
    `${from} is too large: a plugin has up to ${maxOwnFiles} files and ${shortSize(maxOwnBytes)}.`,
  );

const isFileName = (step: string): boolean =>
  fileName.test(step) && !deviceName.test(step) && !/[. ]$/.test(step) && step.length <= maxNameLength;

/** The content of a file as text. Undefined when it isn't there. */
export const textIn = (files: PackageFiles, name: string): string | undefined =>
  files.get(name)?.content.toString('utf8');
