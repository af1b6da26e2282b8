import { callOf } from '../call-shape.ts';
import { bareName, matchAt, type CallFormat } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { cutOff } from '../cut-off.ts';

const opening =
  /(?:<\|start\|>\s*assistant\s*)?(?:<\|channel\|>\s*(?:commentary|analysis)\s+to=[\w.-]+(?![\w.-])|to=[\w.-]+\s*<\|channel\|>\s*(?:commentary|analysis))[^<\n]*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>/;

/** gpt-oss: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`. */
export const harmony: CallFormat = {
  opening,
  unmistakable: true,
  read(text, at) {
    const opened = matchAt(opening, text, at);
    if (!opened) return undefined;
    const name = bareName(/to=([\w.-]+)/.exec(opened[0])![1]!);
    const from = at + opened[0].length;
    const read = readJson(text, from);
    if (read === 'cut') return { calls: [cutOff(name, text.slice(from))], end: text.length };
    if (!read) return undefined;
    const closed = matchAt(/\s*<\|(?:call|end|return)\|>/, text, read.end);
    return {
      calls: [callOf(name, read)],
      end: closed ? read.end + closed[0].length : read.end,
    };
  },
};
