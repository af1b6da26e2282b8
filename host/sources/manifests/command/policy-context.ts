import type { BoundValue } from './evaluate.ts';
import type { Lexed } from './lex.ts';
import { refuse, type RefusalCode } from './refusal.ts';
import { isInert } from './template.ts';
import { expansion, literalOf, type Word } from './words.ts';

/** What the rules share: who is looked at, and how to refuse. */
export interface PolicyContext {
  /** Refuses `word` when it holds a value that could be anything. */
  forbid(word: Word | undefined, code: RefusalCode, why: string): void;
  forbidAll(words: readonly Word[], code: RefusalCode, why: string): void;
  /** Refuses when any value of the whole command could reach what `program` reads as its program. */
  forbidStandardInput(program: string): void;
  /** Judges words that are a command of their own; `outer` is what runs it. */
  nested(words: readonly Word[], outer: string): void;
}

const instead =
  'give the parameter an enum, pass the value another way (as an argument of a script file, or in "environment"), or mark it unsafe: true, which asks for confirmation each time';

export function createPolicyContext(lexed: Lexed, nested: PolicyContext['nested']): PolicyContext {
  return {
    forbid,
    forbidAll: (words, code, why) => {
      for (const word of words) forbid(word, code, why);
    },
    forbidStandardInput: (program) => {
      const value = lexed.bound.find(isFree);
      if (value)
        refuse(
          'program-from-stdin',
          `"${program}" reads its program from standard input, and {{${value.name}}} could reach it; put the program in a file or in an option, or mark the parameter unsafe: true, which asks for confirmation each time`,
          value.at,
        );
    },
    nested,
  };
}

function forbid(word: Word | undefined, code: RefusalCode, why: string): void {
  const value = word && freeValueOf(word);
  if (value) refuse(code, `{{${value.name}}} ${why}; ${instead}`, value.at);
}

/** Could be any text, and no person has been promised to look at it. */
function isFree(value: BoundValue): boolean {
  return !isInert(value.parameter) && value.parameter.unsafe !== true;
}

export function freeValueOf(word: Word): BoundValue | undefined {
  for (const piece of word.pieces) if (piece.kind === 'value' && isFree(piece)) return piece;
  return undefined;
}

/** The program's name without its folder; undefined when a value is part of it. */
export function programOf(word: Word | undefined): string | undefined {
  return literalOf(word)?.split('/').pop();
}

export function isExpanded(text: string | undefined): boolean {
  return text?.includes(expansion) === true;
}

/** The word's first piece that isn't an empty literal, when that is literal. */
export function leadingLiteral(word: Word): string | undefined {
  const first = word.pieces.find((piece) => piece.kind === 'value' || piece.text !== '');
  return first?.kind === 'literal' ? first.text : undefined;
}
