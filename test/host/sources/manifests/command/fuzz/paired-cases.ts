import type { CommandParameter } from '../../../../../../host/sources/manifests/command/template/template.ts';
import { hostileValue } from './hostile-values.ts';
import type { Random } from '../../../../../kit/data/fuzz.ts';

/** Two calls of one template: the same shape, but one with harmless texts and one with hostile ones. */
export interface PairedCase {
  readonly template: string;
  readonly harmless: Readonly<Record<string, unknown>>;
  readonly hostile: Readonly<Record<string, unknown>>;
}

/** Programs that only record that they have run. */
export const programs = ['one', 'two', 'three', 'four', 'canary'] as const;

export const pairedParameters: readonly CommandParameter[] = [
  { name: 'a', type: 'string' },
  { name: 'b', type: 'string', allowDash: true },
  { name: 'xs', type: 'array', allowDash: true },
  { name: 'flag', type: 'boolean' },
  { name: 'n', type: 'integer' },
  { name: 'mode', type: 'string', enum: ['fast', 'slow'] },
];

/**
 * Anything that could be part of a template, well formed or not: most are refused when they are loaded. Nothing depends
 * on an exit code or on what a word is split into, so that only the values could change what runs.
 */
export function pairedCase(random: Random): PairedCase {
  const shape = { flag: random.chance(0.5), n: random.below(9), mode: random.pick(['fast', 'slow']) };
  const items = random.below(3);
  const hostile = (): string => hostileValue(random) || ';canary';
  return {
    template: commands(random, 0),
    harmless: { ...shape, a: 'v', b: 'w', xs: Array<string>(items).fill('x') },
    hostile: { ...shape, a: hostile(), b: hostile(), xs: Array.from({ length: items }, hostile) },
  };
}

function commands(random: Random, depth: number): string {
  return random.list(1, 2, () => command(random, depth)).join(random.pick(['; ', ' | ', '\n', ' & wait; ']));
}

function command(random: Random, depth: number): string {
  const program = random.pick(['one', 'two', 'three', 'four']);
  const simple = (): string =>
    `${program} ${random.list(0, 4, () => word(random, depth)).join(random.pick([' ', ' ', '']))}`;
  const inner = (): string => (depth < 2 ? commands(random, depth + 1) : simple());
  const forms: (() => string)[] = [
    ...Array<() => string>(6).fill(simple),
    () => `( ${inner()} )`,
    () => `{ ${inner()}; }`,
    () => `if true; then ${inner()}; fi`,
    () => `for i in "{{a}}" {{mode}}; do ${simple()} "$i"; done`,
    () => `case ${word(random, depth)} in never) ${inner()} ;; *) ${inner()} ;; esac`,
    () => `y=${word(random, depth)} ${simple()}`,
    () => `y=${word(random, depth)}; ${simple()} "$y" $y`,
    () => `${simple()} <<EOF\n${text(random)}\n${text(random)}\nEOF\n`,
    () => `${simple()} <<-END\n\t${text(random)}\n\tEND\n`,
    () => `${simple()} <<< ${word(random, depth)}`,
    () => `${simple()} > ${word(random, depth)}`,
    () => `${simple()} < <(${inner()})`,
    () => `{{#if flag}}${inner()}{{else}}${inner()}{{/if}}`,
    () => `{{#each xs}}${simple()} {{this}}; {{/each}}${simple()}`,
    () => `${simple()} # ${text(random)}`,
    () => `env y=${word(random, depth)} ${simple()}`,
    () => `timeout 5 ${simple()}`,
    () => `xargs ${simple()} < /dev/null`,
    // Fragments that open something and leave it open.
    () =>
      `${simple()} ${random.pick(['"', "'", '$(', '`', '${y', '((', '[[ ', '\\', '{{#if flag}}"{{/if}}'])} ${simple()}`,
  ];
  return random.pick(forms)();
}

function word(random: Random, depth: number): string {
  const expression = random.pick(['{{a}}', '{{b}}', '{{xs}}', '{{{a}}}', '{{n}}', '{{mode}}', '{{~a~}}']);
  const forms: (() => string)[] = [
    () => expression,
    () => `"${expression}"`,
    () => `'${expression}'`,
    () => `pre${expression}`,
    () => `--x=${expression}`,
    () => `"a ${expression} \\"b\\" ${expression}"`,
    () => `"$y ${expression}"`,
    () => `\${y:-${expression} }`,
    () => `$(( ${expression} + 1 ))`,
    () => `$y${expression}`,
    () => `\\${expression}`,
    () => `"it's ${expression}"`,
    () => `'a"${expression}"'`,
    () => `{{#if flag}}${expression}{{else}}"{{b}}"{{/if}}`,
    () => `"{{#each xs}}{{this}},{{/each}}"`,
    () => `{{#each xs}}'{{this}}'{{/each}}`,
    () => `*${expression}`,
    () => `{a,${expression}}`,
    () => `~${expression}`,
  ];
  if (depth < 2) {
    forms.push(
      () => `"$(${commands(random, depth + 1)})"`,
      () => `$(${commands(random, depth + 1)})`,
      () => `\`${commands(random, depth + 1)}\``,
    );
  }
  return random.pick(forms)();
}

function text(random: Random): string {
  return random.pick([
    '{{a}}',
    'EOF{{b}}',
    '"{{a}}"',
    "'{{b}}'",
    '$({{a}})',
    '$(one {{a}})',
    '\\{{a}}',
    '$y {{n}}',
    '{{a}}{{b}}',
    'END',
  ]);
}
