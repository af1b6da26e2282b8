import type { CommandParameter } from '../../../../../../host/sources/manifests/command/template/template.ts';
import { hostileValue } from './hostile-values.ts';
import type { Random } from '../../../../../kit/data/fuzz.ts';

/** A template with values, and the output that follows from its construction. */
export interface ExactCase {
  readonly template: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expected: string;
}
export type CaseKind = 'argv' | 'sh' | 'bash';

export const parameters: readonly CommandParameter[] = [
  { name: 'a', type: 'string' },
  { name: 'b', type: 'string' },
  { name: 'c', type: 'string' },
  { name: 'absent', type: 'string' },
  { name: 'flag', type: 'boolean' },
  { name: 'n', type: 'integer' },
  { name: 'xs', type: 'array' },
  { name: 'ys', type: 'array' },
];

interface Values {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly flag: boolean;
  readonly n: number;
  readonly xs: readonly string[];
  readonly ys: readonly string[];
}
/** Part of a template, and the arguments that it gives the program. */
interface Words {
  readonly text: string;
  readonly words: readonly string[];
}
/** A separate command, and its output. */
interface Piece {
  readonly text: string;
  readonly output: string;
}

export function exactCase(random: Random, kind: CaseKind): ExactCase {
  const values: Values = {
    a: hostileValue(random),
    b: hostileValue(random),
    c: hostileValue(random),
    flag: random.chance(0.5),
    n: random.below(2_000) - 1_000,
    xs: random.list(0, 3, () => hostileValue(random)),
    ys: random.list(0, 2, () => hostileValue(random)),
  };
  const { text, output } = kind === 'argv' ? printWords(random, values) : shellPiece(random, values, kind);
  return { template: text, args: { ...values }, expected: output };
}

/** Every argument followed by a NUL, the only byte that can't be part of an argument. */
function printWords(random: Random, values: Values): Piece {
  const list = random.list(1, 4, () => word(random, values, 0));
  const words = list.flatMap((each) => each.words);
  return {
    text: `printf -- '%s\\0' first ${list.map((each) => each.text).join(' ')}`,
    output: ['first', ...words].map((each) => `${each}\0`).join(''),
  };
}

const one = (text: string, content: string): Words => ({ text, words: [content] });

function word(random: Random, values: Values, depth: number): Words {
  const name = random.pick(['a', 'b', 'c'] as const);
  const value = values[name];
  const choices: (() => Words)[] = [
    () => one(`{{${name}}}`, value),
    () => one(`{{{${name}}}}`, value),
    () => one(`"{{${name}}}"`, value),
    () => one(`'{{${name}}}'`, value),
    () => one(`pre{{${name}}}post`, `pre${value}post`),
    () => one(`--option={{${name}}}`, `--option=${value}`),
    () => one(`"a b {{${name}}} \\$x \\"q\\" {{n}}"`, `a b ${value} $x "q" ${values.n}`),
    () => one(`'$HOME "{{${name}}}" \\'{{n}}`, `$HOME "${value}" \\${values.n}`),
    () => one(`{{a}}{{b}}"{{c}}"'{{a}}'`, values.a + values.b + values.c + values.a),
    () => one(`plain\\ text{{${name}}}`, `plain text${value}`),
    () => ({ text: '{{absent}}', words: [] }),
    () => one('"{{absent}}"', ''),
    () => one('x{{absent}}', 'x'),
    () => ({ text: '{{xs}}', words: values.xs }),
    () => ({ text: "{{#each xs}}'{{this}}' {{/each}}", words: values.xs }),
    () => ({
      text: '{{#each xs as |item index|}} "{{index}}:{{item}}" {{@last}}{{else}}none{{/each}}',
      words:
        values.xs.length === 0
          ? ['none']
          : values.xs.flatMap((item, k) => [`${k}:${item}`, String(k === values.xs.length - 1)]),
    }),
    () => ({
      text: '{{#each xs}}{{#each ../ys}}{{../this}}={{this}}{{../../a}} {{/each}}{{/each}}'
        .replace('../ys', 'ys')
        .replace('../../a', 'a'),
      words: values.xs.flatMap((x) => values.ys.map((y) => `${x}=${y}${values.a}`)),
    }),
  ];
  if (depth < 2) {
    const inner = (): Words => word(random, values, depth + 1);
    choices.push(
      () => choose('if flag', values.flag, inner(), inner()),
      () => choose('unless flag', !values.flag, inner(), inner()),
      () => choose(`if ${name}`, value !== '', inner(), inner()),
      () => choose('if absent', false, inner(), inner()),
      () => choose('if (not xs)', values.xs.length === 0, inner(), inner()),
      () => choose('if (eq a "v")', values.a === 'v', inner(), inner()),
      () => choose('if (eq a b)', values.a === values.b, inner(), inner()),
    );
  }
  return random.pick(choices)();
}

function choose(condition: string, taken: boolean, yes: Words, no: Words): Words {
  const [keyword] = condition.split(' ');
  return {
    text: `{{#${condition}}} ${yes.text} {{else}} ${no.text} {{/${keyword}}}`,
    words: taken ? yes.words : no.words,
  };
}

function shellPiece(random: Random, values: Values, kind: 'sh' | 'bash', depth = 0): Piece {
  const { a, b, flag } = values;
  const print = (): Piece => printWords(random, values);
  const inner = (): Piece =>
    depth < 2 && random.chance(0.4) ? shellPiece(random, values, kind, depth + 1) : print();
  const wrapped = (before: string, piece: Piece, after: string): Piece => ({
    text: before + piece.text + after,
    output: piece.output,
  });
  const both = (first: Piece, between: string, second: Piece): Piece => ({
    text: first.text + between + second.text,
    output: first.output + second.output,
  });
  const choices: (() => Piece)[] = [
    () => wrapped('', inner(), ' | cat'),
    () => wrapped('', inner(), ' | cat | cat 2>&1'),
    () => both(inner(), ' && ', inner()),
    () => both(inner(), '; ', inner()),
    () => both(inner(), '\n', inner()),
    () => wrapped('false || ', print(), ''),
    () => wrapped('( ', inner(), ' )'),
    () => wrapped('{ ', inner(), '; }'),
    () => wrapped('if true; then ', inner(), '; fi'),
    () => wrapped('case x in x) ', inner(), ' ;; esac'),
    () => wrapped('', inner(), ' 2>/dev/null'),
    () => ({
      text: 'for i in "<{{a}}>" {{n}}x{{b}}; do printf -- \'%s\\0\' "$i"; done',
      output: [`<${a}>`, `${values.n}x${b}`].map((each) => `${each}\0`).join(''),
    }),
    () => ({ text: 'x={{a}}; printf -- \'%s\\0\' "$x"', output: `${a}\0` }),
    () => ({ text: 'x=\'<{{a}}>\'"{{b}}"; printf -- \'%s\\0\' "$x"', output: `<${a}>${b}\0` }),
    () => ({
      text: "printf -- '%s\\0' \"$(printf -- '<%s>' {{a}} '{{b}}')\"",
      output: `<${a}><${b}>\0`,
    }),
    () => ({
      text: 'printf -- \'%s\\0\' "in $(printf -- \'%s.\' "{{a}}") out {{b}}"',
      output: `in ${a}. out ${b}\0`,
    }),
    () => ({
      text: "{{#if flag}}printf -- '%s\\0' \"{{a}}\" | cat{{else}}printf -- '%s\\0' {{b}}{{/if}} | cat",
      output: `${flag ? a : b}\0`,
    }),
  ];
  if (depth === 0)
    choices.push(
      () => ({ text: "printf -- '%s\\0' {{a}} # a comment with ' and \"", output: `${a}\0` }),
      () => ({ text: 'cat <<EOF\n{{a}}\n<{{b}}> \\$x\nEOF\n', output: `${a}\n<${b}> $x\n` }),
      () => ({ text: 'cat <<-END\n\t{{a}} {{n}}\n\tEND\n', output: `${a} ${values.n}\n` }),
      () => ({ text: 'cat <<EOF | cat\n\'{{a}}\' "{{b}}"\nEOF\n', output: `'${a}' "${b}"\n` }),
      () => ({
        text: 'cat <<EOF\n{{#if flag}}yes {{a}}{{else}}no {{b}}{{/if}}\n.{{#each xs}}<{{this}}>{{/each}}.\nEOF\n',
        output: `${flag ? `yes ${a}` : `no ${b}`}\n.${values.xs.map((x) => `<${x}>`).join('')}.\n`,
      }),
    );
  if (kind === 'bash') choices.push(() => ({ text: 'cat <<< {{a}}', output: `${a}\n` }));
  return random.pick(choices)();
}
