import { expect, test } from 'vitest';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { createMovedClock } from '../../../kit/moved-clock.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

test('an error in a file that is saved while the prompt is open is shown once', async () => {
  const tool = 'spaces/work/agent/tools/greet.md';
  const [good, bad] = [manifest('greet', 'command: echo hi'), manifest('greet', 'comand: echo hi')];
  await using home = await createHome({ [tool]: good });
  const clock = createMovedClock({ start: Date.now() });
  await using prompt = startOnTerminal([], { home: home.path, clock });
  await prompt.next(/›/);
  using _passing = setInterval(() => clock.pass(1_500), 100);
  await home.write('pegboard.yaml', 'theme: purple\n');
  await prompt.next(/pegboard\.yaml:1:8[^]*"theme"[^]*›/);
  await home.write(tool, bad);
  await prompt.next(/greet\.md:\d+:1[^]*"comand"[^]*›/);
  prompt.child.stdin.write(`greet${keys.enter}`);
  await prompt.next(/\bhi\b[^]*›/);
  prompt.child.stdin.write(keys.ctrlD);
  const { stdout } = await prompt.ended;
  expect(stdout.match(/pegboard\.yaml:1:8/g)).toHaveLength(1);
});
