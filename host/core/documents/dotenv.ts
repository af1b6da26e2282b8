import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { withoutByteOrderMark } from '../text/byte-order-mark.ts';

/** The variables of a .env file, parsed by Node. Empty if there is no file. */
export function readDotenv(path: string): { readonly [name: string]: string } {
  let text: string;
  try {
    text = withoutByteOrderMark(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
  const variables = Object.entries(parseEnv(text));
  return Object.fromEntries(
    variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
