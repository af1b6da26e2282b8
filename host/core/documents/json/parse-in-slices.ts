import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { readJson } from './read-json.ts';
import { parseJson, rememberNumber } from '../written-numbers.ts';

/** Characters that are read at once: a few milliseconds. */
const sliceLength = 64 * 1024;

/** Of a message: each takes a hundred bytes of memory and more, many times what it takes of the text. */
const maxValues = 1_000_000;

/** Whether reading it at once would take longer than others should wait. */
export const isLong = (text: string): boolean => text.length > sliceLength;

/**
 * Like `parseJson`, for what others have sent: a long text is read in slices, with a turn of the event loop between
 * two, so that it keeps nobody waiting. A thread couldn't do this: taking the value over from it would take as long as
 * reading it. Rejects with TooMuchJson beyond 1,000,000 values.
 */
export async function parseInSlices(text: string): Promise<unknown> {
  if (!isLong(text)) return parseJson(text);
  return await inSlices(readJson(text, rememberNumber, { stride: sliceLength, maxValues }));
}

/** More than programs get of a result. */
const maxContentLength = 4_000_000;
/** What handles a result calls itself for each level. */
const maxContentDepth = 1_000;
const maxContentWide = 10_000;

/**
 * What a server or a program has sent as JSON, as member `key` of an object: a single number keeps its source. Undefined
 * for what is no JSON, or is too long, too deep or too wide to be more than text.
 */
export async function contentOf<Key extends string>(
  key: Key,
  text: string,
): Promise<{ readonly [name in Key]: unknown } | undefined> {
  if (text.length > maxContentLength) return undefined;
  try {
    const limits = { stride: sliceLength, maxDepth: maxContentDepth, maxWide: maxContentWide };
    const value = await inSlices(readJson(text, rememberNumber, limits));
    const holder = { [key]: value } as { readonly [name in Key]: unknown };
    if (typeof value === 'number') rememberNumber(holder, key, text.trim());
    return holder;
  } catch {
    return undefined;
  }
}

/** Drives what pauses after each slice, with a turn of the event loop in every pause. */
export async function inSlices<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (let next = work.next(); ; next = work.next()) {
    if (next.done === true) return next.value;
    await turnOfLoop();
  }
}
