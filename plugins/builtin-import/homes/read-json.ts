import JSON5 from 'json5';
import { type Members, membersOf, messageOf } from 'pegboard/kit';
import type { LeftOut } from './foreign-home.ts';
import type { ForeignFolder } from './read-folder.ts';

/** The members of a JSON or JSON5 file; none if it is missing or broken. */
export function readJson(folder: ForeignFolder, from: string, leftOut: LeftOut[]): Members {
  const text = folder.text(from);
  if (text === undefined) return {};
  try {
    const read: unknown = JSON5.parse(text);
    if (isTooDeep(read)) throw new Error('it is nested too deeply');
    return membersOf(read);
  } catch (cause) {
    leftOut.push({
      what: 'settings',
      from,
      why: `it can't be parsed: ${messageOf(cause).replace(/^JSON5: /, '')}`,
    });
    return {};
  }
}

/** What nobody writes would exhaust the stack of whoever reads it. */
const isTooDeep = (value: unknown, levels = 64): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1)));
