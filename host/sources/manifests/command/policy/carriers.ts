import type { BoundValue } from '../evaluate.ts';
import type { Lexed } from '../lex/lex.ts';
import { freeValueOf, isFree } from './values.ts';
import type { Calculation } from '../lex/state.ts';
import { refuse, type RefusalCode } from '../refusal.ts';
import { expansionsIn, literalOf, substitution, type SimpleCommand, type Word } from '../lex/words.ts';

type Carried = (word: Word) => BoundValue | undefined;

/** Finds the value that reaches a word through a variable, `x={{a}}; … "$x"`, or through a `$( )` that contains one. */
export function findCarriers(lexed: Lexed): Carried {
  const substituted = lexed.substituted.find(isFree);
  const variables = new Map<string, BoundValue>();
  const carried: Carried = (word) => {
    for (const piece of word.pieces) {
      if (piece.kind === 'value') continue;
      for (const name of expansionsIn(piece.text)) {
        const value = name === substitution ? substituted : variables.get(name);
        if (value) return value;
      }
    }
    return undefined;
  };
  if (lexed.shellSyntax === undefined) return () => undefined;
  // In a loop, a variable can be set from one that is set further down.
  for (let known = -1; known !== variables.size;) {
    known = variables.size;
    for (const command of lexed.commands)
      for (const [name, value] of settings(command, carried, lexed)) variables.set(name, value);
  }
  checkCalculations(lexed, variables);
  return carried;
}

/** The variables that a command sets to a text with a value in it. */
function settings(
  { words }: SimpleCommand,
  carried: Carried,
  lexed: Lexed,
): readonly (readonly [name: string, value: BoundValue])[] {
  const [program, ...rest] = words.filter((word) => word.role === 'word').map(literalOf);
  if (program === 'read' || program === 'mapfile' || program === 'readarray') {
    const value = lexed.bound.find(isFree);
    return value ? rest.flatMap((name) => (name && /^\w+$/.test(name) ? [[name, value] as const] : [])) : [];
  }
  if (program === 'for') {
    const value = words.map((word) => freeValueOf(word) ?? carried(word)).find(Boolean);
    return value && rest[0] ? [[rest[0], value]] : [];
  }
  return words.flatMap((word) => {
    const [head] = word.pieces;
    const name = head?.kind === 'literal' ? /^([A-Za-z_]\w*)\+?=/.exec(head.text)?.[1] : undefined;
    const value = name === undefined ? undefined : (freeValueOf(word) ?? carried(word));
    return name !== undefined && value ? [[name, value] as const] : [];
  });
}

const places = {
  arithmetic: { code: 'value-in-arithmetic', where: '$(( ))' },
  condition: { code: 'value-in-condition', where: '[[ ]]' },
  indirection: { code: 'value-in-expansion', where: '${! }' },
} as const satisfies Record<Calculation['kind'], { readonly code: RefusalCode; readonly where: string }>;
const instead = 'declare the parameter as integer or number, or mark it unsafe: true';

/** Arithmetic, numeric comparisons and `${!x}` evaluate the content of a variable, including subscripts with `$( )`. */
function checkCalculations({ calculations }: Lexed, variables: ReadonlyMap<string, BoundValue>): void {
  for (const { kind, text } of calculations) {
    if (kind === 'condition' && !/\s-(eq|ne|lt|le|gt|ge|v|R)\s/.test(text)) continue;
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      const value = variables.get(name);
      if (!value) continue;
      const { code, where } = places[kind];
      refuse(
        code,
        `{{${value.name}}} reaches ${where} through $${name} and is evaluated there; ${instead}`,
        value.at,
      );
    }
  }
}
