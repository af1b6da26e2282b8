import { expect, test } from 'vitest';
import { createManifestDirectory } from '../../../../../host/sources/manifests/files/directory.ts';
import { testTools, type ExampleOutcome } from '../../../../../host/sources/manifests/check/test-tools.ts';
import { hostScope } from '../../../../../host/tools/access.ts';
import { kernel } from '../../../../kit/dispatch.ts';
import { createHome, manifest } from '../../../../kit/homes/home.ts';
import { manifestContext } from '../../../../kit/homes/manifest-context.ts';

test('each example is run, and what comes back is compared where an output is given', async () => {
  await using home = await createHome({
    'text.md': manifest(
      'text',
      `parameters: [{ name: x, type: string, required: true }]
command: printf '%s\\n' {{x}}
examples:
  - { input: { x: a }, output: a }
  - { input: { x: a }, output: b }
  - { input: { x: a } }
  - { input: {} }`,
    ),
    'lines.md': manifest(
      'lines',
      "command: printf '1\\n2\\n'\noutput: lines\nexamples: [{ input: {}, output: ['1', '2'] }]",
    ),
    'json.md': manifest(
      'json',
      'command: echo \'{"a":[1]}\'\noutput: json\nexamples: [{ input: {}, output: { a: [1] } }]',
    ),
    'number.md': manifest(
      'number',
      'command: echo 7\noutput: json\nexamples: [{ input: {}, output: 7 }, { input: {}, output: 8 }]',
    ),
    'fails.md': manifest('fails', 'command: ls ./gone\nexamples: [{ input: {} }]'),
    'untried.md': manifest('untried', 'command: ls'),
  });
  const source = createManifestDirectory({
    folder: home.path,
    root: home.path,
    module: 's',
    kind: 'manifest',
    description: 'Tools of the test',
    context: manifestContext(),
  });
  const { registry, dispatch } = await kernel(source);
  const outcomes: ExampleOutcome[] = [];
  const tools = registry.snapshot.tools.values();
  for await (const outcome of testTools(tools, dispatch, { scope: hostScope, caller: 'test' }))
    outcomes.push(outcome);

  expect(outcomes.map(({ tool, example, ok }) => `${tool} ${example} ${ok ? 'passed' : 'failed'}`)).toEqual([
    's.fails 1 failed',
    's.json 1 passed',
    's.lines 1 passed',
    's.number 1 passed',
    's.number 2 failed',
    's.text 1 passed',
    's.text 2 failed',
    's.text 3 passed',
    's.text 4 failed',
  ]);
  const problem = (tool: string, example: number): string | undefined =>
    outcomes.find((outcome) => outcome.tool === tool && outcome.example === example)?.problem;
  expect(problem('s.text', 2)).toBe('expected "b", got "a"');
  expect(problem('s.number', 2)).toBe('expected 8, got 7');
  expect(problem('s.text', 4)).toContain('"x" is missing');
  expect(problem('s.fails', 1)).toMatch(/^failed: .*gone/s);
});
