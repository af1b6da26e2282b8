import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { pegboard } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { startOnTerminal } from '../../../kit/pty.ts';

/** The lines that a command leaves on a terminal of 100 columns. */
async function shownBy(home: TestHome, ...args: string[]): Promise<string[]> {
  await using running = startOnTerminal(args, { home: home.path, columns: 100 });
  const { stdout } = await running.ended;
  return stripVTControlCharacters(stdout).trimEnd().split(/\r?\n/);
}

test("a long line of a plugin's command is wrapped and indented, and is one line on a pipe", async () => {
  const told = `One ${'long sentence '.repeat(12)}ends.`;
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { teller: { trusted: true } }\n',
    'plugins/teller/plugin.yaml':
      'id: teller\nversion: "1.0.0"\ndescription: Tells\ncommands: { tell: { summary: Tell } }\n',
    'plugins/teller/index.ts': `
      import { definePlugin } from 'pegboard';
      export default definePlugin({ setup: () => ({ commands: { tell: ({ out }) => out('${told}') } }) });`,
  });
  const lines = await shownBy(home, 'tell');
  expect(lines.map((line) => line.trim()).join(' ')).toBe(told);
  expect(lines.length).toBe(2);
  expect(lines[1]).toMatch(/^ {2}\S/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect((await pegboard(['tell'], { home: home.path })).stdout).toBe(`${told}\n`);
});

test('the audit is text on a terminal and JSON on a pipe', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hi'),
    'spaces/work/agent/tools/fail.md': manifest('fail', 'command: exit 3'),
  });
  await pegboard(['call', 'greet'], { home: home.path });
  await pegboard(['call', 'fail'], { home: home.path });
  const [greeted, failed] = await shownBy(home, 'logs', '--audit');
  expect(greeted).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ✓ work\.greet · cli · [\d.]+ s$/);
  expect(failed).toMatch(/ ✗ work\.fail · cli · PEG_\w+ · \d+ tokens · [\d.]+ s$/);
  const { stdout } = await pegboard(['logs', '--audit', '--grep', 'greet'], { home: home.path });
  expect(JSON.parse(stdout)).toMatchObject({ tool: 'work.greet', outcome: 'ok' });
});

test("descriptions of a tool's parameters are shown in full, one below the other", async () => {
  const told = `What ${'it is for '.repeat(12)}in the end.`;
  await using home = await createHome({
    'spaces/work/agent/tools/greet.md': manifest(
      'greet',
      `parameters: [{ name: name, type: string, description: ${told} }]\ncommand: echo {{name}}`,
    ),
  });
  const lines = await shownBy(home, 'show', 'greet');
  const at = lines.findIndex((line) => line.startsWith('name '));
  const column = lines[at]!.indexOf('What');
  const next = lines.findIndex((line, nth) => nth > at && line.trim() === '');
  const said = lines.slice(at, next).map((line) => line.slice(column));
  expect(said.length).toBeGreaterThan(1);
  expect(said.join(' ')).toBe(told);
});

test('what a plugin needs to start is broken between words', async () => {
  await using home = await createHome({
    'plugins/dice/plugin.yaml': 'id: dice\nversion: "1.0.0"\ndescription: Rolls dice\n',
    'plugins/dice/index.ts': 'export default {};',
  });
  const lines = await shownBy(home, 'plugins');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(lines.join(' ')).toContain('pegboard approvals allow dice');
});

test('nothing that comes from outside colours the output', async () => {
  const red = 'esc\x1b[31mred\x1b[0m';
  await using place = await createHome();
  const folder = join(place.path, red);
  await mkdir(folder);
  const spelled = 'esc\\u{1b}[31mred\\u{1b}[0m';
  const commands = [
    [red],
    ['init', folder],
    ['trust', join(folder, 'missing')],
    ['import', 'scripts', join(folder, 'missing')],
    ['plugins', 'add', join(folder, 'missing')],
    ['backup', join(folder, 'copy')],
  ];
  for (const args of commands) {
    const { stdout, stderr } = await pegboard(args, { home: place.path, env: { FORCE_COLOR: '1' } });
    expect(stdout + stderr, args.join(' ')).toContain(spelled);
    expect(stdout + stderr, args.join(' ')).not.toContain('\x1b[31mred');
  }
});

test("a tool's error has no colours, whatever it names", async () => {
  await using home = await createHome();
  const args = ['call', 'read', `path=${join(home.path, 'esc\x1b[31mred')}`];
  const { stderr } = await pegboard(args, { home: home.path, env: { FORCE_COLOR: '1' } });
  expect(stderr).toContain('escred does not exist');
});

test('colours of our own stay, also around and within what comes from outside', async () => {
  await using home = await createHome();
  await using running = startOnTerminal(['x\x1b[32my'], { home: home.path });
  const { stdout } = await running.ended;
  expect(stdout).toMatch(/^\x1b\[1m\x1b\[31merror:\x1b\[39m\x1b\[22m /);
  expect(stdout).not.toMatch(/\x1b\[(?!1m|22m|31m|39m)/);
});

test('a long error is shown with its beginning and its end, and the rest is counted', async () => {
  await using home = await createHome();
  const title = 'Long '.repeat(400_000);
  const api = { openapi: '3.1.0', info: { title, version: '1' }, paths: {} };
  const path = await home.write('api.json', JSON.stringify(api));
  for (const options of [[], ['--json'], ['--debug']]) {
    const { code, stdout, stderr } = await pegboard(['import', 'openapi', path, ...options], {
      home: home.path,
    });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/Long Long .* … [\d,]{9} more characters … .*Long/);
    expect(stdout.length + stderr.length).toBeLessThan(20_000);
  }
});
