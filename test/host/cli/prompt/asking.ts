import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { cloneEntry, type CliOptions } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';
import { systemNode } from '../../../kit/system-node.ts';

const pluginCode =
  "import { definePlugin } from 'pegboard';\nexport default definePlugin({ setup: () => ({}) });\n";
const tools = 'spaces/work/agent/tools';
export const escape = '\x1b';
export const paste = (text: string): string => `\x1b[200~${text}\x1b[201~`;

export function homeThatAsks(): Promise<TestHome> {
  return createHome({
    'pegboard.yaml': JSON.stringify({ mcpServers: { asks: fixture('asks') } }),
    [`${tools}/ask.md`]: manifest('ask', 'command: echo ran\nconfirm: true'),
    [`${tools}/greet.md`]: manifest(
      'greet',
      `tags: [salutation]
parameters:
  - { name: name, type: string, required: true }
command: printf 'Hello %s\\n' {{name}}`,
    ),
    'plugins/dice/plugin.yaml': 'id: dice\nversion: "1.0.0"\ndescription: Rolls dice\n',
    'plugins/dice/index.ts': pluginCode,
    'user/.cursor/mcp.json': JSON.stringify({ mcpServers: { other: { command: 'true' } } }),
  });
}

/** As processes of their own on true terminals, started by the Node that the system has. */
export const onSystemNode: CliOptions = { node: systemNode(), entry: cloneEntry };

/** The code of a command that asks, and whether it went on when this was pressed. */
export async function answered(pressed: string, options: CliOptions = {}): Promise<string> {
  await using home = await homeThatAsks();
  await using running = startOnTerminal(['call', 'ask'], { home: home.path, ...options });
  await running.next(/Run work\.ask\?[^]*● No/);
  running.child.stdin.write(pressed);
  const { code, stdout } = await running.ended;
  return `${code} ${/^ran\s*$/m.test(stripVTControlCharacters(stdout)) ? 'ran' : 'not run'}`;
}

export const declining = [
  ['Enter', keys.enter],
  ['n', 'n'],
  ['n and Enter', `n${keys.enter}`],
  ['Ctrl-D', keys.ctrlD],
  ['Ctrl-C', keys.ctrlC],
  ['Escape', escape],
  ['pasted text', paste('yes\r')],
  ['any other letter and Enter', `x${keys.enter}`],
] as const;

export const agreeing = [
  ['y', 'y'],
  ['y and Enter', `y${keys.enter}`],
  ['an arrow to it and Enter', `${keys.down}${keys.enter}`],
] as const;

export async function expectOneAnswerEach(options: CliOptions): Promise<void> {
  await using home = await homeThatAsks();
  await home.write('plugins/coin/plugin.yaml', 'id: coin\nversion: "1.0.0"\ndescription: Tosses coins\n');
  await home.write('plugins/coin/index.ts', pluginCode);
  await using running = startOnTerminal(['approvals', 'allow'], { home: home.path, ...options });
  await running.next(/Run the code of coin[^]*● No/);
  running.child.stdin.write(`y${keys.enter}`);
  await running.next(/coin is trusted[^]*Run the code of dice[^]*● No/);
  running.child.stdin.write(keys.enter);
  const { code, stdout } = await running.ended;
  expect(code).toBe(3);
  expect(stdout).toContain('Nothing was approved');
  expect(stdout).not.toContain('dice is trusted');
}
