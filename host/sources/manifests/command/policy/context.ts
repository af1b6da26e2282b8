import type { BoundValue } from '../evaluate.ts';
import type { Lexed } from '../lex/lex.ts';
import { refuse, type RefusalCode } from '../refusal.ts';
import { findCarriers } from './carriers.ts';
import { freeValueOf, isFree } from './values.ts';
import { literalOf, type Word } from '../lex/words.ts';

/** What the rules share: the program in question, and how to refuse. */
export interface PolicyContext {
  /** Refuses `word` when it contains an arbitrary value, directly or through a variable or a `$( )`. */
  forbid(word: Word | undefined, code: RefusalCode, why: string): void;
  forbidAll(words: readonly Word[], code: RefusalCode, why: string): void;
  /** Refuses values after a word whose expansion is unknown. */
  forbidBehindExpansion(words: readonly Word[], why: string): void;
  /** Refuses when any value of the whole command could reach what `program` reads as its program. */
  forbidStandardInput(program: string): void;
  /** Checks words that are a command of their own; `outer` is the program that runs it. */
  nested(words: readonly Word[], outer: string): void;
}

const instead =
  'give the parameter an enum, pass the value another way (as an argument of a script file), or mark it unsafe: true, which asks for confirmation each time';

export function createPolicyContext(lexed: Lexed, nested: PolicyContext['nested']): PolicyContext {
  const carriedBy = findCarriers(lexed);
  const forbid: PolicyContext['forbid'] = (word, code, why) => {
    if (word) refuseValue(freeValueOf(word) ?? carriedBy(word), code, why);
  };
  return {
    forbid,
    forbidAll: (words, code, why) => {
      for (const word of words) forbid(word, code, why);
    },
    forbidBehindExpansion: (words, why) => {
      for (const word of words) refuseValue(freeValueOf(word), 'unknown-program', why);
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

function refuseValue(value: BoundValue | undefined, code: RefusalCode, why: string): void {
  if (value) refuse(code, `{{${value.name}}} ${why}; ${instead}`, value.at);
}

/** The program's name without its folder; undefined when a value is part of it. */
export function programOf(word: Word | undefined): string | undefined {
  const text = literalOf(word);
  return text?.slice(text.lastIndexOf('/') + 1);
}

/** The word's first piece that isn't an empty literal, if it is a literal. */
export function leadingLiteral(word: Word): string | undefined {
  const first = word.pieces.find((piece) => piece.kind === 'value' || piece.text !== '');
  return first?.kind === 'literal' ? first.text : undefined;
}
