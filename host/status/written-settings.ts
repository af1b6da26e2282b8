import { relative } from 'node:path';
import { readOwnFiles } from '../config.ts';
import { pointerTo } from '../core/documents/pointer.ts';

/** A setting as it is written: `${NAME}` is not filled in. */
export interface WrittenSetting {
  /** ["serve", "token"] */
  readonly path: readonly string[];
  /** A scalar, a list, or a map without members. */
  readonly value: unknown;
  /** The file that it is in, from the home, and the line of its key. */
  readonly file: string;
  readonly line: number;
}

/** What pegboard.yaml and pegboard.local.yaml say now, each setting from the file that counts. */
export function writtenSettings(home: string): readonly WrittenSetting[] {
  const { document, originOf } = readOwnFiles(home);
  if (!document) return [];
  const found: WrittenSetting[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    const members = isMap(value) ? Object.entries(value) : [];
    for (const [key, item] of members) visit(item, [...path, key]);
    if (members.length > 0 || path.length === 0) return;
    const pointer = pointerTo(...path);
    const file = relative(home, originOf(pointer));
    found.push({ path, value, file, line: document.locate(pointer).line });
  };
  visit(document.value, []);
  return found;
}

const isMap = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
