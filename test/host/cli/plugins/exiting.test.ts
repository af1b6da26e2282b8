import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson, startPegboard, type CliResult } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';

interface Listed {
  readonly plugins: readonly { readonly id: string; readonly state: string; readonly problem?: string }[];
}

const yaml = (version: string): string =>
  `id: dice\nversion: "${version}"\ndescription: Rolls dice\npacks: { dice: { description: Dice } }\n`;

/** `load` runs when the module is loaded, `setup` when the plugin is set up, `roll` when its tool is called. */
const code = ({ load = '', setup = '', roll = '' }): string => `
  import nodeProcess, { exit } from 'node:process';
  ${load}
  const roll = { name: 'roll', description: 'Rolls', parameters: { type: 'object' }, execute() { ${roll}; return '6'; } };
  export default { async setup() { ${setup}; return { packs: { dice: [roll] } }; } };
`;

/** A plugin to add from a path, outside of the home's plugins. */
function source(home: TestHome, version: string, parts: Parameters<typeof code>[0]): string {
  const folder = join(home.path, 'source');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plugin.yaml'), yaml(version));
  writeFileSync(join(folder, 'index.ts'), code(parts));
  return folder;
}

const runIn =
  (home: TestHome) =>
  (...args: string[]): Promise<CliResult> =>
    pegboard(args, { home: home.path, apart: true });

const diceIn = async ({ path: home }: TestHome) =>
  (await pegboardJson<Listed>(['plugins', 'list'], { home, apart: true })).plugins.find(
    ({ id }) => id === 'dice',
  );

const anyText = (text: string): string => expect.stringContaining(text) as string;

test('a plugin that ends the process when it is loaded is broken, and nothing else is', async () => {
  await using home = await createHome({});
  const run = runIn(home);
  const folder = source(home, '1.0.0', { load: 'process.exit(0);' });
  const added = await run('plugins', 'add', folder, '--yes');
  expect(added).toMatchObject({ code: 1, stderr: anyText('its code called process.exit(0)') });
  expect(added.stderr).toContain('plugins disable dice');
  expect(await diceIn(home)).toMatchObject({
    state: 'failed',
    problem: anyText('the plugin dice did not start: its code called process.exit(0)'),
  });
  expect(await run('tools')).toMatchObject({ code: 0, stdout: anyText('read') });
  expect(await run('doctor')).toMatchObject({ code: 1, stdout: anyText('1 thing is broken') });
  expect(await run('plugins', 'disable', 'dice')).toMatchObject({ code: 0, stdout: anyText('disabled') });
  expect(await diceIn(home)).toMatchObject({ state: 'disabled' });
  expect(await run('plugins', 'remove', 'dice')).toMatchObject({ code: 0, stdout: anyText('removed') });
});

/** Each is a plugin of its own. */
const endings: readonly [when: string, statement: string, call: string][] = [
  ['load', 'exit(3);', 'process.exit(3)'],
  ['load', 'nodeProcess.reallyExit(0);', 'process.reallyExit(0)'],
  ['load', 'process.abort();', 'process.abort()'],
  ['load', "process.kill(process.pid, 'SIGKILL');", 'process.kill('],
  ['load', 'try { process.exit(0); } catch {}', 'process.exit(0)'],
  [
    'load',
    'setTimeout(exit, 1, 0); await new Promise((resolve) => setTimeout(resolve, 200));',
    'process.exit(0)',
  ],
  [
    'load',
    'setInterval(process.exit, 1, 0); await new Promise((resolve) => setTimeout(resolve, 200));',
    'process.exit(0)',
  ],
  ['setup', 'process.exit(0)', 'process.exit(0)'],
  [
    'setup',
    'void (async () => { await 1; process.exit(0); })(); await new Promise((resolve) => setTimeout(resolve, 200));',
    'process.exit(0)',
  ],
];

test('plugins that end the process in any way are broken, each by its own call', async () => {
  const files = endings.map(([when, statement], at) => [
    [`plugins/dice-${at}/plugin.yaml`, yaml('1.0.0').replaceAll('dice', `dice-${at}`)],
    [`plugins/dice-${at}/index.ts`, code({ [when]: statement })],
  ]);
  const trusted = endings.map((_, at) => `dice-${at}: { trusted: true }`).join(', ');
  await using home = await createHome({
    'pegboard.yaml': `plugins: { ${trusted} }\n`,
    ...(Object.fromEntries(files.flat()) as Record<string, string>),
  });
  const { plugins } = await pegboardJson<Listed>(['plugins', 'list'], { home: home.path, apart: true });
  for (const [at, [when, statement, call]] of endings.entries())
    expect(
      plugins.find(({ id }) => id === `dice-${at}`),
      `${when}: ${statement}`,
    ).toMatchObject({ state: 'failed', problem: anyText(`its code called ${call}`) });
});

test('what a plugin has started can not end the process later, and neither can its tools', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { dice: { trusted: true } }\n',
    'plugins/dice/plugin.yaml': yaml('1.0.0'),
    'plugins/dice/index.ts': code({ setup: 'setTimeout(exit, 100, 0)', roll: 'if (true) process.exit(0)' }),
    'spaces/home/agent/tools/wait.md':
      '---\nid: wait\nname: Wait\ndescription: Waits\ncommand: sleep 1\n---\n',
  });
  const run = runIn(home);
  const named = 'The code of the plugin dice called process.exit(0)';
  expect(await run('call', 'wait')).toMatchObject({ code: 0, stderr: anyText(named) });
  expect(await run('call', 'dice.roll')).toMatchObject({ code: 1, stderr: anyText(named) });
});

test('a process that ends while a plugin is being loaded says so', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { dice: { trusted: true } }\n',
    'plugins/dice/plugin.yaml': yaml('1.0.0'),
    'plugins/dice/index.ts': code({ load: "console.error('loading'); await new Promise(() => {});" }),
  });
  await using running = startPegboard(['plugins', 'list'], { home: home.path, apart: true });
  await running.waitFor(/loading/);
  // The second ends the process at once; one that comes too soon is the same Ctrl-C.
  const interrupting = setInterval(() => running.child.kill('SIGINT'), 300);
  const { code: exitCode, stderr } = await running.ended;
  clearInterval(interrupting);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 130,
    stderr: anyText('The process ended while the plugin dice was being loaded.'),
  });
  expect(stderr).toContain('plugins disable dice');
});

test('an update to a version that ends the process is taken back', async () => {
  await using home = await createHome({});
  const run = runIn(home);
  const folder = source(home, '1.0.0', {});
  expect(await run('plugins', 'add', folder, '--yes')).toMatchObject({ code: 0 });
  source(home, '1.1.0', { load: 'process.exit(0);' });
  expect(await run('plugins', 'update', 'dice', '--yes')).toMatchObject({
    code: 1,
    stderr: anyText('dice 1.1.0 does not run, so 1.0.0 is back.'),
  });
  expect(await run('call', 'dice.roll')).toMatchObject({ code: 0, stdout: '6\n' });
});
