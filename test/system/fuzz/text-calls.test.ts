import { expect, test } from 'vitest';
import { createCallAssembler, type CallDelta } from '../../../host/agent/models/wire/call-deltas.ts';
import { toTools } from '../../../host/agent/models/text-tools/format.ts';
import { createStreamBuffer } from '../../../host/agent/models/text-tools/stream-buffer.ts';
import { readCalls } from '../../../host/agent/models/text-tools/read-calls.ts';
import { readArguments } from '../../../host/agent/read-arguments.ts';
import { PegboardError } from '../../../host/core/errors.ts';
import { calls } from '../../host/agent/models/text-tools/calls.ts';
import { offered } from '../../host/agent/models/text-tools/cases.ts';
import { noCalls } from '../../host/agent/models/text-tools/no-calls.ts';
import { createRandom, effort, type Random } from '../../kit/data/fuzz.ts';
import { expectLinear } from '../../kit/growth.ts';

const tools = toTools(offered);
const outputs = [...calls, ...noCalls].map(([, output]) => output);
/** Pieces of markup, names, values and punctuation from output of models. */
const pieces = [
  ...new Set(
    outputs.flatMap((output) => output.match(/<[^<>\n]*>|\[\/?[A-Z_]+\]|`+\w*|[A-Za-z_]+:?|\s+|[^\w\s]/g)!),
  ),
  '\n{a:/*',
  '"""',
  '\\',
  '\uD800',
  '__proto__',
];

/** Python's values by their names in JSON, and the names of arguments that stand in their order. */
const known = new Set([
  'true',
  'false',
  'null',
  ...offered.flatMap(({ parameters }) => Object.keys(parameters['properties'] as object)),
]);

function answer(random: Random): string {
  return random
    .list(1, 6, () => {
      const output = random.pick(outputs);
      const from = random.below(output.length);
      if (random.chance(0.3)) return random.list(1, 12, () => random.pick(pieces)).join('');
      if (random.chance(0.3)) return output;
      return output.slice(from, from + random.below(output.length));
    })
    .join(random.pick(['', '\n', ' ']));
}

test('whatever a model writes, calls are read without a fault, and none that is not in the text', () => {
  const random = createRandom(51_123);
  let found = 0;
  for (let count = 0; count < 6_000 * effort; count++) {
    const text = answer(random);
    const told = `FUZZ_SEED=${random.seed}, ${count}: ${JSON.stringify(text)}`;
    const read = readCalls(text, tools);
    for (const { name, arguments: args } of read.calls) {
      found++;
      // What an escape stands for is in the text, but not as it reads.
      if (text.includes('\\')) continue;
      expect(name === 'unnamed' || text.includes(name), told).toBe(true);
      for (const word of args.replaceAll(/\\u.{4}|\\./g, ' ').match(/[A-Za-z]{2,}/g) ?? [])
        expect(text.includes(word) || known.has(word), `${told}\n${args}`).toBe(true);
    }
    const holdBack = createStreamBuffer(tools);
    const size = 1 + random.below(40);
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += holdBack.add(text.slice(at, at + size));
    expect(shown, told).toBe(holdBack.shown);
  }
  expect(found).toBeGreaterThan(1_000 * effort);
});

test('whatever is repeated, reading takes time by its length and not by the square of it', async () => {
  const random = createRandom(51_124);
  for (let count = 0; count < 60 * effort; count++) {
    const part = random.list(1, 3, () => random.pick(pieces)).join('');
    const [start, end] = [answer(random), answer(random)];
    await expectLinear(
      (length) => readCalls(start + part.repeat(Math.ceil(length / part.length)) + end, tools),
      15_000,
      `FUZZ_SEED=${random.seed}, ${count}: ${JSON.stringify(part)}`,
    );
  }
});

test('whatever arguments a model sends, in whatever pieces, they are an object or a refusal that can be read', () => {
  const random = createRandom(51_125);
  for (let count = 0; count < 3_000 * effort; count++) {
    const told = `FUZZ_SEED=${random.seed}, ${count}`;
    const assembler = createCallAssembler(new Set(offered.map(({ name }) => name)));
    const deltas = random.list(0, 12, () => delta(random));
    for (const one of deltas) assembler.add(one);
    const ids = assembler.calls.map(({ id }) => id);
    expect(new Set(ids).size, `${told} ${JSON.stringify(deltas)}`).toBe(ids.length);
    for (const { arguments: text } of assembler.calls) {
      try {
        expect(typeof readArguments(text), `${told} ${text}`).toBe('object');
      } catch (cause) {
        expect(cause, `${told} ${text}`).toBeInstanceOf(PegboardError);
        expect((cause as PegboardError).message.length, told).toBeLessThan(1_000);
      }
    }
  }
});

const argumentPieces = [
  '{',
  '}',
  '{"a":',
  '"x',
  '"',
  '1',
  '[',
  ']',
  '{}',
  'null',
  '"{\\"a\\":1}"',
  '',
  '\uD800',
  ' ',
];

function delta(random: Random): CallDelta {
  return {
    ...(random.chance(0.7) && { index: random.pick([0, 0, 1, 2, null, -1, 1e9]) }),
    ...(random.chance(0.5) && { id: random.pick(['a', 'b', '', null]) }),
    function: random.chance(0.1)
      ? null
      : {
          ...(random.chance(0.5) && {
            name: random.pick(['bash', 'ba', 'sh', 'read_file', '', null, '__proto__']),
          }),
          arguments: random.pick([...argumentPieces, null, { a: 1 }]),
        },
  };
}
