import { bareName, matchAt, skipSpace, type CallFormat, type FoundCall } from '../format.ts';
import { readParameterTags } from './parameter-tags.ts';

const wrapper = /<(?:｜DSML｜|[a-z]+:)(?:function_calls?|tool_calls?)>/i;
const invoke = /<(?:｜DSML｜|[a-z]+:)?invoke\s+name=["']([\w.-]+)["']\s*>/i;
const opening = /<(?:｜DSML｜|[a-z]+:)(?:function_calls?|tool_calls?)>|<(?:｜DSML｜|[a-z]+:)?invoke\s+name=/i;
const closing = /\s*<\/(?:｜DSML｜|[a-z]+:)?(?:function_calls?|tool_calls?)>/i;

/** `<invoke name="f"><parameter name="k">v</parameter></invoke>`: Claude's, MiniMax's, DeepSeek 3.2's and Step 3's. */
export const invokeTag: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at, tools) {
    if (!matchAt(opening, text, at)) return undefined;
    const calls: FoundCall[] = [];
    let index = at + (matchAt(wrapper, text, at)?.[0].length ?? 0);
    for (;;) {
      const start = skipSpace(text, index);
      const opened = matchAt(invoke, text, start);
      if (!opened) break;
      const name = bareName(opened[1]!);
      const { call, end } = readParameterTags(text, start + opened[0].length, name, tools);
      calls.push(call);
      const closed = matchAt(/\s*<\/(?:｜DSML｜|[a-z]+:)?invoke>/i, text, end);
      index = closed ? end + closed[0].length : end;
    }
    if (calls.length === 0) return undefined;
    const closed = matchAt(closing, text, index);
    return { calls, end: closed ? index + closed[0].length : index };
  },
};
