import { expect, test } from 'vitest';
import { pegboard, pegboardJson, startPegboard } from '../../kit/cli.ts';
import { createHome, type TestHome } from '../../kit/homes/home.ts';

const tool = `name: 'roll', description: 'Rolls dice', parameters: { type: 'object' }, execute: () => '4'`;
const files = {
  'pegboard.yaml': 'plugins: { dice: { trusted: true }, spaces/s/coin: { trusted: true } }\n',
  'plugins/dice/plugin.yaml':
    'id: dice\nversion: "1.0.0"\ndescription: x\npacks: { dice: { description: Dice } }\n',
  'plugins/dice/index.ts': `export default { setup: () => ({
    packs: { dice: [{ ${tool}, tracksOrigin: true, annotations: { readonlyHint: true }, execution: { taskSuport: 'optional' }, examples: [{ inputs: {} }] }] },
    hooks: { preTools: () => {}, postTool: [{ matches: '*', handler: () => {} }] },
    turn: { beforeTurn: () => {} },
    services: [{ name: 'poll', start() {}, stopp() {} }],
    channels: { pigeon: { deliver() {}, aks() {} } },
    models: { mine: { open() {}, opn() {} } },
    onSecretScrub: () => {},
  }) };\n`,
  'spaces/s/agent/tools/coin.ts':
    "export default { name: 'coin', description: 'Tosses a coin', parameters: { type: 'object' }, innerCall: [], execute: () => 'heads' };\n",
};
type Found = {
  readonly diagnostics: readonly { path: string; code: string; message: string; hint?: string }[];
};

const expected = [
  ['onSecretScrub', 'its contributions have', 'onSecretScrub → onSecretScrubbed?'],
  ['beforeTurn', 'its turn hooks have', undefined],
  ['preTools', 'its hooks have', 'preTools → preTool?'],
  ['matches', 'its hook postTool has', undefined],
  ['tracksOrigin', 'the tool "roll" has', 'tracksOrigin → tracksOrigins?'],
  ['readonlyHint', 'the annotations of the tool "roll" have', 'readonlyHint → readOnlyHint?'],
  ['stopp', 'its service poll has', undefined],
  ['aks', 'its channel pigeon has', 'aks → ask?'],
  ['opn', 'its model provider mine has', 'opn → open?'],
  ['taskSuport', 'the execution of the tool "roll" has', 'taskSuport → taskSupport?'],
  ['inputs', 'example 1 of the tool "roll" has', 'inputs → input?'],
].map(([name, owner, hint]) => ({
  severity: 'error',
  code: 'unknown-member',
  path: 'plugins/dice/plugin.yaml',
  message: `plugin dice: ${owner} an unknown member "${name}", which is ignored`,
  ...(hint !== undefined && { hint }),
}));

test('unknown members of a plugin and of a TypeScript tool are reported with the nearest known name', async () => {
  await using home = await createHome(files);
  const { stdout, code } = await pegboard(['lint', '--json'], { home: home.path });
  const { diagnostics } = JSON.parse(stdout) as Found;
  expect(code).toBe(1);
  expect(diagnostics).toHaveLength(expected.length + 1);
  for (const one of expected) expect(diagnostics).toContainEqual(expect.objectContaining(one));
  expect(diagnostics).toContainEqual(
    expect.objectContaining({
      path: 'spaces/s/agent/tools/coin.ts',
      message: 'plugin spaces/s/coin: the tool "coin" has an unknown member "innerCall", which is ignored',
      hint: 'innerCall → innerCalls?',
    }),
  );
  const one = await pegboard(['lint', 'spaces/s/agent/tools/coin.ts'], { home: home.path, cwd: home.path });
  expect(one.stdout).toContain('innerCall → innerCalls?');
  expect(one.stdout).not.toContain('onSecretScrub');
  const called = await pegboard(['call', 'dice.roll', '--yes'], { home: home.path });
  expect(called.stdout).toBe('4\n');
});

test('pegboard doctor counts unknown members, and pegboard start and pegboard tools name them', async () => {
  await using home = await createHome(files);
  const checks = await pegboard(['doctor'], { home: home.path });
  expect(checks.stdout).toContain('12 things are broken');
  const { diagnostics } = await pegboardJson<Found>(['tools'], { home: home.path });
  expect(diagnostics.filter(({ code }) => code === 'unknown-member')).toHaveLength(12);
  await using running = startPegboard(['start'], { home: home.path });
  await running.waitFor(/onSecretScrub → onSecretScrubbed\?/);
});

const hookForms = 'write a function, or an object with a function "handler"';
test.each([
  ["hooks: { preTool: { tools: 'dice.*' } }", `The hook preTool of the plugin dice is broken: ${hookForms}`],
  ['hooks: { preTool: [null] }', `The hook preTool of the plugin dice is broken: ${hookForms}`],
  ['turn: { preTurn: 5 }', 'The turn hook preTurn of the plugin dice is broken: write a function'],
  ["services: [{ nam: 'poll', start: 1 }]", 'Service 1 of the plugin dice is broken'],
  ['channels: { c: { deliverr() {} } }', 'The channel c of the plugin dice is broken'],
  ['models: { mine: { opn() {} } }', 'The model provider mine of the plugin dice is broken'],
])('a plugin with a broken part does not run: %s', async (part, message) => {
  await using home = await createHome({
    ...files,
    'plugins/dice/index.ts': `export default { setup: () => ({ packs: { dice: [{ ${tool} }] }, ${part} }) };\n`,
  });
  const called = await pegboard(['call', 'dice.roll', '--yes'], { home: home.path });
  expect(called.code).not.toBe(0);
  const { diagnostics } = await pegboardJson<Found>(['tools'], { home: home.path });
  expect(diagnostics.map((one) => one.message).join()).toContain(message);
});

test('a tool with a member of a wrong type is left out with what it must be', async () => {
  const wrong = [
    ["timeout: 'x'", 'its timeout must be a number of seconds above 0'],
    ['untrusted: 5', 'its untrusted must be an origin or a function'],
    ["confirm: 'yes'", 'its confirm must be true or false'],
    ["annotations: { readOnlyHint: 'yes' }", 'its annotation readOnlyHint must be true or false'],
  ] as const;
  const tools = wrong.map(([member], index) => `{ ${tool}, name: 'wrong${index}', ${member} }`);
  await using home = await createHome({
    ...files,
    'plugins/dice/index.ts': `export default { setup: () => ({ packs: { dice: [${tools.join()}, { ${tool} }] } }) };\n`,
  });
  const { stdout } = await pegboard(['lint', '--json'], { home: home.path });
  const { diagnostics } = JSON.parse(stdout) as Found;
  for (const [index, [, problem]] of wrong.entries())
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'invalid-tool',
        message: `the tool "wrong${index}" of pack dice is left out: ${problem}`,
      }),
    );
  const called = await pegboard(['call', 'dice.roll', '--yes'], { home: home.path });
  expect(called.stdout).toBe('4\n');
});

test('pegboard doctor reports checks of a plugin that are wrong, and unknown members of them', async () => {
  const checks = (returned: string): Promise<TestHome> =>
    createHome({
      ...files,
      'plugins/dice/index.ts': `export default { setup: () => ({ checks: () => ${returned} }) };\n`,
    });
  const reportsOf = async (home: TestHome): Promise<readonly string[]> => {
    const { stdout } = await pegboard(['doctor', '--json'], { home: home.path });
    const found = JSON.parse(stdout) as { readonly checks: readonly Record<string, string>[] };
    return found.checks
      .filter(({ name, status }) => name === 'dice key' || (name === 'plugin dice' && status === 'failed'))
      .map(({ name, status, message, fix }) => [name, status, message, fix].join(' | '));
  };
  await using listed = await checks(`[
    { name: 'dice key', status: 'warning', message: 'is old', fixx: 'renew it' },
    { name: 'dice key', status: 'warn', message: 'is gone' },
    { name: 'dice key', status: 'ok' },
    'all is well',
  ]`);
  expect(await reportsOf(listed)).toEqual([
    'dice key | warning | is old | ',
    'plugin dice | failed | its check "dice key" has an unknown member "fixx", which is ignored | fixx → fix?',
    'plugin dice | failed | its check 2 is left out: its status must be "ok", "warning" or "failed" | ',
    'plugin dice | failed | its check 3 is left out: its message must be text | ',
    'plugin dice | failed | its check 4 is left out: it is a string, not an object | ',
  ]);
  await using nothing = await checks('undefined');
  expect(await reportsOf(nothing)).toEqual([
    'plugin dice | failed | its checks returned undefined | return a list of { name, status, message }',
  ]);
});

test('a call whose "prepare" returns an unknown member is refused before anything runs', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { spaces/s/coin: { trusted: true } }\n',
    'spaces/s/agent/tools/coin.ts':
      "export default { name: 'coin', description: 'x', parameters: { type: 'object' }, prepare: () => ({ preview: 'coin', disclose: { reason: 'x' } }), execute: () => console.log('ran') };\n",
  });
  const { code, stdout, stderr } = await pegboard(['call', 'coin', '--yes'], { home: home.path });
  expect(code).toBe(1);
  expect(stderr).toContain(
    '"prepare" of the tool coin returned an unknown member "disclose"; did you mean "discloses"?',
  );
  expect(stdout).not.toContain('ran');
});

test.each([
  ['timeOut', 'timeout'],
  ['time', 'timeout'],
  ['TimeoutSecs', 'timeout'],
  ['nmae', 'name'],
  ['parametres', 'parameters'],
  ['descripton', 'description'],
  ['turnTimeout', 'pausesTurnTimeout'],
  ['x', undefined],
])('for the unknown member %s of a tool, %s is named', async (member, nearest) => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { spaces/s/coin: { trusted: true } }\n',
    'spaces/s/agent/tools/coin.ts': `export default { ${tool.replace('roll', 'coin')}, ${member}: 5 };\n`,
  });
  const { stdout } = await pegboard(['lint', '--json'], { home: home.path });
  const { diagnostics } = JSON.parse(stdout) as Found;
  expect(diagnostics.map(({ hint }) => hint ?? undefined)).toEqual([
    nearest === undefined ? undefined : `${member} → ${nearest}?`,
  ]);
});

test('keys of plugin.yaml that only plugins have that ship are named', async () => {
  await using home = await createHome({
    ...files,
    'plugins/dice/plugin.yaml': `${files['plugins/dice/plugin.yaml']}section: scripts\ncommands: { dice roll: { summary: Roll, handler: ./roll.ts, group: Tools } }\n`,
  });
  const { diagnostics } = await pegboardJson<Found>(['tools'], { home: home.path });
  expect(diagnostics.filter(({ code }) => code === 'reserved-key').map(({ message }) => message)).toEqual(
    ['section', 'commands.dice roll.handler', 'commands.dice roll.group'].map(
      (key) => `${key} has no effect: only plugins that ship with Pegboard have it`,
    ),
  );
});
