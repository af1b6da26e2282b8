import type { FoundCall } from './format.ts';

/** A call that must not run, with what came of it: a dispatch answers that its arguments are no JSON. */
export const cutOff = (name: string, rest: string): FoundCall => ({
  name,
  arguments: isJson(rest) ? `${rest} …` : rest,
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
