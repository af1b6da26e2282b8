import { expect, test } from 'vitest';
import { loadCommand } from '../../../host/sources/manifests/command/load.ts';
import { TemplateRefusal } from '../../../host/sources/manifests/command/refusal.ts';
import type { CommandParameter } from '../../../host/sources/manifests/command/template/template.ts';
import { createRandom, effort, type Random } from '../../kit/data/fuzz.ts';
import { expectLinear } from '../../kit/growth.ts';
import { hostileValue } from '../../host/sources/manifests/command/fuzz/hostile-values.ts';

const parameters: readonly CommandParameter[] = [
  { name: 'a', type: 'string' },
  { name: 'b', type: 'string', unsafe: true },
  { name: 'absent', type: 'string' },
  { name: 'flag', type: 'boolean' },
  { name: 'n', type: 'integer' },
  { name: 'xs', type: 'array' },
];
const listed = (text: string): readonly string[] => text.split('¦');
const pieces = listed(
  `{{a}}¦{{b}}¦{{n}}¦{{xs}}¦{{absent}}¦{{{a}}}¦{{this}}¦{{@index}}¦{{#if flag}}¦{{#if (eq a "x")}}¦{{#unless flag}}¦{{#each xs}}¦{{else}}¦{{/if}}¦{{/unless}}¦{{/each}}¦{{¦}}¦{{!-- c --}}¦{{> p}}¦{{a.b}}¦{{../a}}¦{{lookup a b}}¦{{~a~}}¦\\{{a}}¦echo ¦ls ¦sh -c ¦awk ¦for x in ¦do ¦done¦if ¦then ¦fi¦case ¦esac¦; ¦ | ¦ && ¦ > f¦ < f¦ <<E\n¦\nE\n¦"¦'¦$(¦)¦(¦\`¦\${¦}¦$((¦))¦[[ ¦ ]]¦#¦\\¦$x¦$'¦\n¦ ¦-¦--¦=¦~¦*¦é¦\u0000`,
);

/** Templates as people write them, malformed ones, and some at the limits. */
function template(random: Random): string {
  const some = random.list(1, 14, () => random.pick(pieces)).join('');
  if (random.chance(0.85)) return some;
  const unit = random.list(1, 2, () => random.pick(pieces)).join('');
  const length = random.pick([500, 4_000, 16_000, 16_385, 70_000]);
  return `echo ${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length);
}

test('whatever a template holds, it is a command or a refusal with a place in it', async () => {
  const random = createRandom(20_261_124);
  let loaded = 0;
  for (let count = 0; count < 6_000 * effort; count++) {
    const text = template(random);
    const told = `FUZZ_SEED=${random.seed}, ${count}: ${JSON.stringify(text.slice(0, 2_000))}`;
    try {
      const command = await loadCommand(text, parameters);
      loaded++;
      const args = { a: hostileValue(random), b: hostileValue(random), flag: random.chance(0.5), n: 7 };
      const xs = random.list(0, 4, () => hostileValue(random));
      const { argv } = command.render({ ...args, xs });
      expect(argv.length > 0 && argv.every((word) => !word.includes('\0')), told).toBe(true);
    } catch (cause) {
      if (!(cause instanceof TemplateRefusal)) throw new Error(told, { cause });
      expect(cause.offset, `${told}\n${cause.message}`).toBeGreaterThanOrEqual(0);
      expect(cause.offset, `${told}\n${cause.message}`).toBeLessThanOrEqual(text.length);
      expect(cause.message.length, told).toBeLessThan(1_000);
    }
  }
  expect(loaded).toBeGreaterThan(200 * effort);
});

test('whatever is repeated in a template, loading takes time by its length', async () => {
  const random = createRandom(20_261_125);
  for (let count = 0; count < 40 * effort; count++) {
    const unit = random.list(1, 3, () => random.pick(pieces)).join('');
    const load = async (length: number): Promise<void> => {
      try {
        await loadCommand(
          `echo ${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length),
          parameters,
        );
      } catch (cause) {
        expect(cause).toBeInstanceOf(TemplateRefusal);
      }
    };
    await expectLinear(load, 4_000, `FUZZ_SEED=${random.seed}, ${count}: ${JSON.stringify(unit)}`);
  }
});
