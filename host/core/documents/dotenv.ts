import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import type { Surroundings } from '../../api/surroundings.ts';
import { isProjectHome } from '../files/project.ts';
import { withoutByteOrderMark } from '../text/byte-order-mark.ts';

/**
 * The variables of a .env file, parsed by Node. Empty if there is no file. A pipe, by which password managers give values,
 * is read until its other side closes it; in a project's home, where anybody may have put it, it counts as none.
 */
export function readDotenv(
  path: string,
  user: Pick<Surroundings, 'userHome'>,
): { readonly [name: string]: string } {
  let text: string;
  try {
    if (isProjectHome(dirname(path), user) && !statSync(path).isFile()) return {};
    text = withoutByteOrderMark(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
  const variables = Object.entries(parseEnv(text));
  return Object.fromEntries(
    variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
