import { callOf } from '../call-shape.ts';
import { bareName, matchAt, type CallFormat } from '../format.ts';
import { readJson } from '../lenient-json.ts';
import { truncatedCall } from '../truncated.ts';

const opening =
  /(?:<\|start\|>\s*assistant\s*)?(?:<\|channel\|>\s*(?:commentary|analysis)\s+to=[\w.-]+(?![\w.-])|to=[\w.-]+\s*<\|channel\|>\s*(?:commentary|analysis))[^<\n]*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>/;

/** What remains of it when a server strips the tokens. */
const stripped =
  /(?<=^\s*)(?:assistant)?\s*(?:commentary|analysis)?\s*to=functions\.[\w.-]+\s*(?:commentary|analysis)?\s*(?:json|code)?\s*(?=\{)/;

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
    if (read === 'cut') return { calls: [truncatedCall(name, text.slice(from))], end: text.length };
    if (!read) return undefined;
    const closed = matchAt(/\s*<\|(?:call|end|return)\|>/, text, read.end);
    return {
      calls: [callOf(name, read)],
      end: closed ? read.end + closed[0].length : read.end,
    };
  },
};

/** `commentary to=functions.name json{…}` as the whole text. */
export const harmonyStripped: CallFormat = {
  opening: stripped,
  unmistakable: false,
  read(text, at) {
    const opened = matchAt(stripped, text, at);
    if (!opened) return undefined;
    const name = bareName(/to=([\w.-]+)/.exec(opened[0])![1]!);
    const from = at + opened[0].length;
    const read = readJson(text, from);
    if (read === 'cut') return { calls: [truncatedCall(name, text.slice(from))], end: text.length };
    return read && text.slice(read.end).trim() === ''
      ? { calls: [callOf(name, read)], end: text.length }
      : undefined;
  },
};
