import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { writtenNumber } from '../written-numbers.ts';
import { inSlices } from './parse-in-slices.ts';

/** Values that are written at once: a few milliseconds. */
const stride = 20_000;
/** Characters of a part; the parts are joined at the end. */
const partLength = 64 * 1024;

/** Like `toJson`: what is long with a turn of the event loop between its slices, so that it keeps nobody waiting. */
export function jsonOf(value: object): string | Promise<string> {
  const writing = write(value);
  const first = writing.next();
  return first.done === true ? first.value : turnOfLoop().then(() => inSlices(writing));
}

/** A list or object that is being written. */
interface Place {
  readonly holder: object;
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  at: number;
  isFirst: boolean;
}

const placeOf = (holder: object): Place => {
  const keys = Array.isArray(holder) ? undefined : Object.keys(holder);
  return { holder, keys, length: keys?.length ?? (holder as unknown[]).length, at: 0, isFirst: true };
};

/** Pauses after each slice. */
function* write(value: object): Generator<undefined, string> {
  const parts: string[] = [];
  const outer: Place[] = [];
  let place = placeOf(value);
  let part = place.keys ? '{' : '[';
  for (let count = 1; ; count++) {
    if (count % stride === 0) yield;
    if (part.length > partLength) {
      parts.push(part);
      part = '';
    }
    const { holder, keys, length } = place;
    if (place.at === length) {
      part += keys ? '}' : ']';
      const last = outer.pop();
      if (!last) break;
      place = last;
      continue;
    }
    const key = keys?.[place.at] ?? place.at;
    place.at++;
    const child = (holder as { readonly [key: string | number]: unknown })[key];
    const isInner = typeof child === 'object' && child !== null && !('toJSON' in child);
    const text = isInner
      ? ''
      : (typeof child === 'number' && writtenNumber(holder, key)) || JSON.stringify(child);
    // What JSON hasn't is left out, and null in a list.
    if (text === undefined && keys) continue;
    part += `${place.isFirst ? '' : ','}${keys ? `${JSON.stringify(key)}:` : ''}${text ?? 'null'}`;
    place.isFirst = false;
    if (!isInner) continue;
    outer.push(place);
    place = placeOf(child);
    part += place.keys ? '{' : '[';
  }
  parts.push(part);
  return parts.join('');
}
