import { expect, test } from 'vitest';
import { pegboard, pegboardJson, startPegboard } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';

const tool = `name: 'roll', description: 'Rolls dice', parameters: { type: 'object' }, execute: () => '4'`;
const files = {
  'pegboard.yaml': 'plugins: { dice: { trusted: true }, spaces/s/coin: { trusted: true } }\n',
  'plugins/dice/plugin.yaml':
    'id: dice\nversion: "1.0.0"\ndescription: x\npacks: { dice: { description: Dice } }\n',
  'plugins/dice/index.ts': `export default { setup: () => ({
    packs: { dice: [{ ${tool}, tracksOrigin: true, annotations: { readonlyHint: true } }] },
    hooks: { preTools: () => {}, postTool: [{ matches: '*', handler: () => {} }] },
    turn: { beforeTurn: () => {} },
    onSecretScrub: () => {},
  }) };\n`,
  'spaces/s/agent/tools/coin.ts':
    "export default { name: 'coin', description: 'Tosses a coin', parameters: { type: 'object' }, innerCall: [], execute: () => 'heads' };\n",
};
type Found = {
  readonly diagnostics: readonly { path: string; code: string; message: string; hint?: string }[];
};

const expected = [
  ['onSecretScrub', 'its contributions', 'onSecretScrub → onSecretScrubbed?'],
  ['beforeTurn', 'its turn hooks', undefined],
  ['preTools', 'its hooks', 'preTools → preTool?'],
  ['matches', 'its hook postTool', undefined],
  ['tracksOrigin', 'the tool "roll"', 'tracksOrigin → tracksOrigins?'],
  ['readonlyHint', 'the annotations of the tool "roll"', 'readonlyHint → readOnlyHint?'],
].map(([name, owner, hint]) => ({
  severity: 'error',
  code: 'unknown-member',
  path: 'plugins/dice/plugin.yaml',
  message: `plugin dice: ${owner} has an unknown member "${name}", which is ignored`,
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
  expect(checks.stdout).toContain('7 things are broken');
  const { diagnostics } = await pegboardJson<Found>(['tools'], { home: home.path });
  expect(diagnostics.filter(({ code }) => code === 'unknown-member')).toHaveLength(7);
  await using running = startPegboard(['start'], { home: home.path });
  await running.waitFor(/onSecretScrub → onSecretScrubbed\?/);
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
