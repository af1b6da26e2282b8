import { matchAt } from './format.ts';
import { endOfSpan, type Seek, type Span } from './seek.ts';

/** Thoughts. */
const thoughts: readonly Span[] = [
  { opening: /<think(?:ing)?>/i, closing: /<\/think(?:ing)?>/i },
  { opening: /<(?:seed|mm):think>/, closing: /<\/(?:seed|mm):think>/ },
  { opening: /<seed:cot_budget_reflect>/, closing: /<\/seed:cot_budget_reflect>/ },
  { opening: /\[THINK\]/, closing: /\[\/THINK\]/ },
  { opening: /<\|START_THINKING\|>/, closing: /<\|END_THINKING\|>/ },
  { opening: /<\|channel>\s*(?:thought|analysis)/, closing: /<channel\|>/ },
  { opening: /<\|inner_prefix\|>/, closing: /<\|inner_suffix\|>/ },
  { opening: /<\|begin_of_thought\|>/, closing: /<\|end_of_thought\|>/ },
  { opening: /◁think▷/, closing: /◁\/think▷/ },
  {
    opening: /(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>/,
    closing: /<\|end\|>|(?=<\|start\|>)/,
  },
];

/** Control tokens that servers should have removed. */
const tokens = new RegExp(
  [
    String.raw`(?:<\|start\|>\s*assistant\s*)?<\|channel\|>(?:final|commentary)<\|message\|>`,
    String.raw`(?:<\|from\|>\s*assistant\s*)?<\|recipient\|>\s*all\s*(?:<\|content\|>)?`,
    String.raw`<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>`,
    String.raw`<\|turn>(?:model|assistant)?|<turn\|>|<\|channel>(?:final)?|<channel\|>`,
    String.raw`<\|\/?[A-Za-z][\w ]{0,40}\|>|<[｜|](?:begin|end)[▁_]of[▁_]sentence[｜|]>`,
    String.raw`<\/?seed:(?:bos|eos|pad|think|tool_call|cot_budget_reflect)>`,
    String.raw`<(?:start|end)_of_turn>(?:model)?|<\/?think(?:ing)?>|\[\/?THINK\]|<\/s>|<eos>`,
    String.raw`(?<=^\s*)>>>\s*all\r?\n`,
  ].join('|'),
);

/** Tokens that begin another speaker's turn in chat templates. */
const othersTurn =
  /<\|(?:im_start|start|start_header_id)\|>\s*(?!assistant|functions?\b)[A-Za-z]\w*|<start_of_turn>\s*(?!model)[A-Za-z]\w*|<\|turn>(?!model|assistant)[A-Za-z]\w*|<[|｜](?:user|system|tool|observation|human)[|｜]>|\[INST\]/gi;

/** Indexes of the tokens that begin another speaker's turn. */
export const foreignTurns = (text: string): readonly number[] =>
  Array.from(text.matchAll(othersTurn), ({ index }) => index);

/** Where thoughts or tokens can begin. */
export const controlOpenings: readonly RegExp[] = [...thoughts.map(({ opening }) => opening), tokens];

/** Index after thoughts or a token at `at`, which are not shown. */
export function endOfControl(text: string, at: number, seek: Seek): number | undefined {
  const thought = endOfSpan(thoughts, text, at, seek);
  if (thought !== undefined) return thought;
  const token = matchAt(tokens, text, at);
  return token && !isMentioned(text, at, at + token[0].length) ? at + token[0].length : undefined;
}

/** Whether thoughts begin at `at`. Used where `endOfControl` found no end. */
export const beginsThoughts = (text: string, at: number): boolean =>
  thoughts.some(({ opening }) => matchAt(opening, text, at));

/** Whether a token is in the middle of a sentence, which is then about it. */
export function isMentioned(text: string, from: number, to: number): boolean {
  const before = lineBefore(text, from);
  const after = /^[^\n]*/.exec(text.slice(to, to + 200))![0];
  return /\w[,:]? $/.test(before) && /^(?:[,.;:?!)]|\s+[\p{L}\p{N}(])/u.test(after);
}

/** The line up to `at`, at most 200 characters. */
export const lineBefore = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - 200), at)
    .split('\n')
    .at(-1)!;
