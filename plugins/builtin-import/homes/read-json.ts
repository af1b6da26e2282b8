import { type Members, membersOf, messageOf } from 'pegboard/kit';
import type { LeftOut } from './foreign-home.ts';
import { parseJson5 } from './json5.ts';
import type { ForeignFolder } from './read-folder.ts';

/** The members of a JSON or JSON5 file; none if it is missing or broken. */
export function readJson(folder: ForeignFolder, from: string, leftOut: LeftOut[]): Members {
  const text = folder.text(from);
  if (text === undefined) return {};
  try {
    return membersOf(parseJson5(text));
  } catch (cause) {
    leftOut.push({ what: 'settings', from, why: `it can't be parsed: ${messageOf(cause)}` });
    return {};
  }
}
