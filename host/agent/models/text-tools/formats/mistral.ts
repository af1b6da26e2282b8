import { bareName, matchAt, skipSpace, type CallFormat, type FoundCall } from '../format.ts';
import { truncatedCall } from '../truncated.ts';
import { readArguments, readJsonCalls } from './json-body.ts';

const marker = /\[TOOL_CALLS?\]/;

/** `[TOOL_CALLS][{…}]`, and since 2025 `[TOOL_CALLS]name[ARGS]{…}`, one marker per call. */
export const mistral: CallFormat = {
  opening: marker,
  unmistakable: true,
  read(text, at, tools) {
    const calls: FoundCall[] = [];
    let index = at;
    for (
      let opened = matchAt(marker, text, index);
      opened;
      opened = matchAt(marker, text, skipSpace(text, index))
    ) {
      const from = skipSpace(text, skipSpace(text, index) + opened[0].length);
      const list = readJsonCalls(text, from, text.length, tools);
      if (list) {
        calls.push(...list.calls);
        index = list.end;
        continue;
      }
      const named = matchAt(
        /([A-Za-z_][\w.-]*)\s*(?:\[CALL_ID\]\s*\w+\s*)?(?:\[ARGS\])?\s*(?=(?:```\w*\s*)?\{)/,
        text,
        from,
      );
      if (!named) break;
      const name = bareName(named[1]!);
      const read = readArguments(name, text, from + named[0].length);
      calls.push(...(read?.calls ?? [truncatedCall(name, text.slice(from + named[0].length))]));
      index = read?.end ?? text.length;
    }
    if (calls.length === 0) return undefined;
    const closed = matchAt(/\s*\[\/TOOL_CALLS?\]|\s*<\/s>/, text, index);
    return { calls, end: closed ? index + closed[0].length : index };
  },
};
