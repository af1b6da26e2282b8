import { expect, test } from 'vitest';
import { createCallAssembler } from '../../../host/agent/models/wire/call-deltas.ts';
import { toTools } from '../../../host/agent/models/text-tools/format.ts';
import { readCalls } from '../../../host/agent/models/text-tools/read-calls.ts';
import { readArguments } from '../../../host/agent/read-arguments.ts';
import type { ModelToolCall, WireTool } from '../../../host/api/model.ts';
import { createRandom, effort, type Random } from '../../kit/data/fuzz.ts';

/** Tools that take no arguments, any arguments, and declared ones. */
const offered: readonly WireTool[] = [
  { name: 'wipe', description: 'Wipes', parameters: { type: 'object', properties: {} } },
  {
    name: 'move',
    description: 'Moves',
    parameters: {
      type: 'object',
      properties: {
        from: { type: 'string' },
        to: { type: 'string' },
        id: {},
        name: {},
        count: { type: 'integer' },
      },
    },
  },
];
const tools = toTools(offered);
const keys = [
  'only',
  'from',
  'to',
  'id',
  'type',
  'name',
  'count',
  'path',
  'arguments',
  'index',
  'description',
];

/** A unique value that can be searched for. */
type Fresh = () => string;
type Entries = readonly (readonly [key: string, value: unknown])[];
/** JSON text of an object, in which keys may be repeated. */
const json = (entries: Entries): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : JSON.stringify(value)}`).join(', ')}}`;

function entriesOf(random: Random, fresh: Fresh, from: number, to: number): Entries {
  return random.list(from, to, () => [random.pick(keys), valueOf(random, fresh)] as const);
}

function valueOf(random: Random, fresh: Fresh): unknown {
  const kind = random.below(6);
  if (kind === 0) return [fresh(), fresh()];
  if (kind === 1)
    return {
      raw: json([
        ['in', fresh()],
        [random.pick(['in', 'out']), fresh()],
      ]),
    };
  return fresh();
}

/** What models may write instead of arguments. */
function argumentsOf(random: Random, fresh: Fresh): string {
  const args = json(entriesOf(random, fresh, 0, 3));
  return random.pick([
    args,
    args,
    args,
    JSON.stringify(args),
    `[${args}]`,
    JSON.stringify(fresh()),
    'null',
    '""',
    `[${JSON.stringify(fresh())}]`,
  ]);
}

/** `{name, arguments}` as models vary it. */
function body(random: Random, fresh: Fresh, name: string): string {
  const said: (readonly [string, unknown])[] = [[random.pick(['name', 'name', 'tool', 'action']), name]];
  if (random.chance(0.7))
    said.push([random.pick(['arguments', 'parameters', 'input']), { raw: argumentsOf(random, fresh) }]);
  if (random.chance(0.1))
    said.push([random.pick(['arguments', 'args']), { raw: argumentsOf(random, fresh) }]);
  if (random.chance(0.4)) said.push(...entriesOf(random, fresh, 1, 2));
  const call = json(random.chance(0.2) ? said.toReversed() : said);
  if (random.chance(0.1)) return json([['function', { raw: call }], ...entriesOf(random, fresh, 0, 1)]);
  if (random.chance(0.1))
    return json([['tool_calls', { raw: `[${call}]` }], ...entriesOf(random, fresh, 0, 1)]);
  if (random.chance(0.1))
    return json([[name, { raw: argumentsOf(random, fresh) }], ...entriesOf(random, fresh, 0, 1)]);
  return call;
}

const tags = (random: Random, fresh: Fresh, write: (key: string, value: string) => string): string =>
  random.list(0, 3, () => write(random.pick(keys), fresh())).join(random.chance(0.1) ? ` ${fresh()} ` : '\n');

/** What may follow the arguments, before the end of the markup. */
const more = (random: Random, fresh: Fresh): string =>
  random.pick([
    '',
    '',
    '',
    '',
    ` ${fresh()}`,
    `\nonly ${fresh()}`,
    ` {"only": "${fresh()}"}`,
    `, "${fresh()}"`,
  ]);

type Writer = (random: Random, fresh: Fresh, name: string) => string;
const args: Writer = (random, fresh) => argumentsOf(random, fresh) + more(random, fresh);
const formats: { readonly [format: string]: Writer } = {
  'tool_call tags': (r, f, n) => `<tool_call>\n${body(r, f, n)}${more(r, f)}\n</tool_call>`,
  'a list in tool_calls tags': (r, f, n) => `<tool_calls>[${body(r, f, n)}${more(r, f)}]</tool_calls>`,
  'a tag without its end': (r, f, n) => `<tool_call>${body(r, f, n)}`,
  GLM: (r, f, n) =>
    `<tool_call>${n}\n${tags(r, f, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}${more(r, f)}</tool_call>`,
  'function tags': (r, f, n) => `<function=${n}>${args(r, f, n)}</function>`,
  'parameter tags': (r, f, n) =>
    `<function=${n}>\n${tags(r, f, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}${more(r, f)}\n</function>`,
  invoke: (r, f, n) =>
    `<function_calls><invoke name="${n}">${tags(r, f, (key, value) => `<parameter name="${key}">${value}</parameter>`)}${more(r, f)}</invoke></function_calls>`,
  Mistral: (r, f, n) => `[TOOL_CALLS]${n}[ARGS]${argumentsOf(r, f)}`,
  'Mistral list': (r, f, n) => `[TOOL_CALLS][${body(r, f, n)}]`,
  'Llama JSON': (r, f, n) => `<|python_tag|>${body(r, f, n)}${more(r, f)}<|eom_id|>`,
  'Llama Python': (r, f, n) => `<|python_tag|>${python(r, f, n)}${more(r, f)}<|eom_id|>`,
  'DeepSeek R1': (r, f, n) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${n}\n\`\`\`json\n${args(r, f, n)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  'DeepSeek V3.1': (r, f, n) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${n}<｜tool▁sep｜>${args(r, f, n)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  Kimi: (r, f, n) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${n}:0<|tool_call_argument_begin|>${args(r, f, n)}<|tool_call_end|><|tool_calls_section_end|>`,
  harmony: (r, f, n) =>
    `<|channel|>commentary to=functions.${n} <|constrain|>json<|message|>${args(r, f, n)}<|call|>`,
  Gemma: (r, f, n) => `<start_function_call>call:${n}${args(r, f, n)}<end_function_call>`,
  'a fence': (r, f, n) => `\`\`\`json\n${body(r, f, n)}${more(r, f)}\n\`\`\``,
  'a fence of calls': (r, f, n) => `\`\`\`tool_call\n${body(r, f, n)}${more(r, f)}\n\`\`\``,
  tool_code: (r, f, n) => `\`\`\`tool_code\nprint(${python(r, f, n)})${more(r, f)}\n\`\`\``,
  ReAct: (r, f, n) =>
    `Action: ${n}\nAction Input: ${argumentsOf(r, f)}${r.pick(['', ` ${f()}`, ` {"only": "${f()}"}`])}`,
  'bare JSON': (r, f, n) => body(r, f, n) + r.pick(['', ` ${f()}`, `, {"only": "${f()}"}`]),
  'a Python list': (r, f, n) => `[${python(r, f, n)}${r.pick(['', `, "${f()}"`])}]`,
  'a Python line': (r, f, n) => python(r, f, n) + r.pick(['', ` ${f()}`]),
};

function python(random: Random, fresh: Fresh, name: string): string {
  const parts = random.list(0, 3, () =>
    random.chance(0.7) ? `${random.pick(['only', 'from', 'to', 'id'])}="${fresh()}"` : `["${fresh()}"]`,
  );
  return `${name}(${parts.join(', ')})`;
}

/** What would reach tools. */
function whatRuns(calls: readonly Omit<ModelToolCall, 'id'>[]): string[] {
  return calls.flatMap((call) => {
    if (call.problem !== undefined) return [];
    try {
      return [JSON.stringify([call.name, readArguments(call.arguments)])];
    } catch {
      return [];
    }
  });
}

test.for(Object.entries(formats))(
  'all that a call in the format "%s" says reaches its tool, or it does not run',
  ([, write]) => {
    const random = createRandom(74_201);
    let ran = 0;
    for (let count = 0; count < 400 * effort; count++) {
      const said: string[] = [];
      const fresh = (): string => said[said.push(`v${said.length}x${random.below(1e9)}`) - 1]!;
      const text = write(random, fresh, random.pick(['wipe', 'move']));
      const runs = whatRuns(readCalls(text, tools).calls);
      if (runs.length === 0) continue;
      ran++;
      for (const one of said.filter((value) => text.includes(value)))
        expect(runs.join(''), `FUZZ_SEED=${random.seed}, ${count}: ${text}`).toContain(one);
    }
    expect(ran).toBeGreaterThan(10 * effort);
  },
);

test('all that a native call says reaches its tool, or it does not run', () => {
  const random = createRandom(74_202);
  let ran = 0;
  for (let count = 0; count < 3_000 * effort; count++) {
    const said: string[] = [];
    const fresh = (): string => said[said.push(`v${said.length}x${random.below(1e9)}`) - 1]!;
    const assembler = createCallAssembler(new Set(['wipe', 'move']));
    const name = random.pick(['wipe', 'move']);
    const text = random.chance(0.5)
      ? argumentsOf(random, fresh)
      : argumentsOf(random, fresh) + more(random, fresh);
    const cut = random.below(text.length + 1);
    const pieces: (string | object)[] = random.chance(0.5) ? [text] : [text.slice(0, cut), text.slice(cut)];
    if (random.chance(0.2)) pieces.push({ only: fresh() });
    if (random.chance(0.1)) pieces.unshift({});
    for (const [at, piece] of pieces.entries())
      assembler.add({
        index: 0,
        ...(at === 0 && { id: 'a' }),
        function: { ...(at === 0 && { name }), arguments: piece },
      });
    const runs = whatRuns(assembler.calls);
    if (runs.length === 0) continue;
    ran++;
    for (const one of said.filter((value) => JSON.stringify(pieces).includes(value)))
      expect(runs.join(''), `FUZZ_SEED=${random.seed}, ${count}: ${JSON.stringify(pieces)}`).toContain(one);
  }
  expect(ran).toBeGreaterThan(500 * effort);
});
