import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageEntry } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { atPrompt, keys, startOnTerminal, type RunningOnTerminal } from '../../../kit/pty.ts';

// What the terminal in memory takes for granted is tested here, on one of the system. All else uses the former.

const tools = 'spaces/work/agent/tools';

const createToolHome = (): Promise<TestHome> =>
  createHome({
    [`${tools}/ask.md`]: manifest('ask', 'command: echo ran\nconfirm: true'),
    [`${tools}/wait.md`]: manifest('wait', 'command: sleep 62.5'),
    [`${tools}/say.md`]: manifest(
      'say',
      "parameters: [{ name: text, type: string, required: true }]\ncommand: printf 'said %s\\n' {{text}}",
    ),
  });

async function startPrompt(home: TestHome, columns?: number): Promise<RunningOnTerminal> {
  const prompt = startOnTerminal([], {
    home: home.path,
    apart: true,
    ...(columns !== undefined && { columns }),
  });
  await atPrompt(prompt);
  return prompt;
}

/** The process on the terminal: the child of `script`. */
function pidOf({ child }: RunningOnTerminal): number {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
}

const stty = (prompt: RunningOnTerminal, ...words: string[]): string =>
  execFileSync('stty', ['-F', readlinkSync(`/proc/${pidOf(prompt)}/fd/0`), ...words], { encoding: 'utf8' });

async function leave(prompt: RunningOnTerminal): Promise<void> {
  prompt.child.stdin.write(keys.ctrlD);
  expect(await prompt.ended).toMatchObject({ code: 0 });
}

test('it starts: the prompt is shown, and the terminal gives it every key', async () => {
  await using home = await createToolHome();
  await using prompt = await startPrompt(home);
  expect(await prompt.screenShows(/pegboard ›$/)).toContain(home.path);
  expect(stty(prompt, '-a')).toMatch(/-icanon[^]*-echo\b/);
  await leave(prompt);
});

test('a question is answered by a key', async () => {
  await using home = await createToolHome();
  await using prompt = await startPrompt(home);
  prompt.child.stdin.write(`ask${keys.enter}`);
  await prompt.next(/Run work\.ask\?[^]*● No/);
  prompt.child.stdin.write('y');
  await prompt.screenShows(/^ran$/m);
  await leave(prompt);
});

test('Ctrl-C stops the tool that runs, and not the prompt', async () => {
  await using home = await createToolHome();
  await using prompt = await startPrompt(home);
  prompt.child.stdin.write(`wait${keys.enter}`);
  await prompt.next(/Running work\.wait/);
  prompt.child.stdin.write(keys.ctrlC);
  await prompt.next(/work\.wait was cancelled[^]*› /);
  await leave(prompt);
});

test('Ctrl-D on an empty line leaves', async () => {
  await using home = await createToolHome();
  await leave(await startPrompt(home));
});

test('it is drawn anew for a terminal whose size has changed', async () => {
  await using home = await createToolHome();
  await using prompt = await startPrompt(home);
  prompt.child.stdin.write(`say text=${'x'.repeat(100)}`);
  await prompt.next(/x{100}/);
  stty(prompt, 'cols', '60');
  // On 60 columns the line takes three.
  await prompt.next(/x{30,50}\s+x{40,50}\s+x/);
  prompt.child.stdin.write(keys.clearLine);
  await leave(prompt);
});

test('pasted lines are taken as they are, and sent by Enter', async () => {
  await using home = await createToolHome();
  await using prompt = await startPrompt(home);
  prompt.child.stdin.write('\x1b[200~say text=pasted\x1b[201~');
  await prompt.screenShows(/› say text=pasted$/);
  prompt.child.stdin.write(keys.enter);
  await prompt.screenShows(/^said pasted$/m);
  await leave(prompt);
});

test('Ctrl-Z does not suspend it: there may be no shell to continue it', async () => {
  await using home = await createToolHome();
  await using prompt = await startPrompt(home);
  prompt.child.stdin.write(`\x1asay text=on${keys.enter}`);
  await prompt.screenShows(/^said on$/m);
  expect(readFileSync(`/proc/${pidOf(prompt)}/stat`, 'utf8')).not.toMatch(/\) T /);
  await leave(prompt);
});

test('a crash leaves the terminal as it was', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { dice: { trusted: true } }\n',
    'plugins/dice/plugin.yaml':
      'id: dice\nversion: "1.0.0"\ndescription: Rolls dice\npacks: { dice: { description: Dice } }\n',
    'plugins/dice/index.ts': `
const roll = {
  name: 'roll',
  description: 'Rolls',
  parameters: { type: 'object' },
  execute() {
    globalThis.breakDown();
    return new Promise(() => {});
  },
};
export default { setup: () => ({ packs: { dice: [roll] } }) };
`,
    // A fault of nobody's plugin.
    'fault.mjs': `import { AsyncResource } from 'node:async_hooks';
const own = new AsyncResource('fault');
globalThis.breakDown = () => own.runInAsyncScope(() => setImmediate(() => { throw new Error('out of dice'); }));
`,
    // Runs the command on its own terminal, and then shows how it was left.
    'around.js': `const { spawnSync } = require('node:child_process');
const [, , ...args] = process.argv;
const { status } = spawnSync(process.execPath, [${JSON.stringify(packageEntry())}, ...args], { stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '--import ' + __dirname + '/fault.mjs' } });
spawnSync('stty', ['-a'], { stdio: 'inherit' });
console.log('ended with ' + status);
`,
  });
  await using prompt = startOnTerminal([], { home: home.path, entry: join(home.path, 'around.js') });
  await atPrompt(prompt);
  prompt.child.stdin.write(`call dice.roll${keys.enter}`);
  await prompt.next(/out of dice/);
  const { stdout } = await prompt.ended;
  expect(stdout).toMatch(/ended with 1\s*$/);
  expect(stdout).toMatch(/[^-]icanon[^]*[^-]echo\b/);
  expect(stdout.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(stdout.lastIndexOf('\x1b[?2004h'));
  expect(stdout.lastIndexOf('\x1b[?25h')).toBeGreaterThanOrEqual(stdout.lastIndexOf('\x1b[?25l'));
});
