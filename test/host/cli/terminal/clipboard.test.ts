import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clipboardPrograms } from '../../../../host/cli/terminal/clipboard.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

test.for([
  ['darwin', {}, ['pbcopy']],
  ['win32', {}, ['clip.exe']],
  ['linux', { WSL_DISTRO_NAME: 'Ubuntu', DISPLAY: ':0' }, ['clip.exe', 'xclip', 'xsel']],
  [
    'linux',
    { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0', TMUX: '/t' },
    ['wl-copy', 'xclip', 'xsel', 'tmux'],
  ],
  ['linux', { WAYLAND_DISPLAY: '' }, []],
  ['darwin', { SSH_CONNECTION: '::1 5 ::1 22', DISPLAY: 'localhost:10.0' }, []],
  ['linux', { SSH_TTY: '/dev/pts/1', TMUX: '/tmp/tmux-0/default' }, ['tmux']],
] as const)('on %s with %j, %j can reach the clipboard', ([platform, environment, names]) => {
  expect(clipboardPrograms(platform, environment).map(({ command }) => command[0])).toEqual(names);
});

test('/copy fills the clipboard with a program, or through the terminal where the program fails', async () => {
  await using home = await createHome({
    // Refuses code, as one does whose display is gone.
    'bin/wl-copy': `#!/bin/sh\ncat > "$COPIED"\n! head -1 "$COPIED" | grep -q '^x = '\n`,
  });
  await chmod(join(home.path, 'bin/wl-copy'), 0o755);
  const copied = join(home.path, 'copied');
  const answer = 'Größe:\n\n```py\nx = "ä"\n```';
  await using model = await startScriptedModel([{ text: answer }]);
  await using chat = startOnTerminal([], {
    home: home.path,
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'test',
      PEGBOARD_MODEL: 'openai/scripted',
      PATH: `${join(home.path, 'bin')}:${process.env['PATH']}`,
      COPIED: copied,
      WAYLAND_DISPLAY: 'wayland-0',
      DISPLAY: undefined,
      TMUX: undefined,
      SSH_CONNECTION: undefined,
      SSH_TTY: undefined,
    },
  });
  await chat.waitFor(/›/);
  chat.child.stdin.write(`go${keys.enter}`);
  await chat.waitFor(/ in, \d+ out[^]*›/);
  chat.child.stdin.write(`/copy${keys.enter}`);
  await chat.waitFor(/Copied the last answer \(5 lines\) with wl-copy\./);
  expect(await readFile(copied, 'utf8')).toBe(answer);
  chat.child.stdin.write(`/copy code${keys.enter}`);
  await chat.waitFor(
    /Copied the last code block \(1 line\) through the terminal \(OSC 52\), if it allows that\./,
  );
  chat.child.stdin.write(keys.ctrlD);
  const { code, stdout } = await chat.ended;
  expect(code).toBe(0);
  expect(stdout).toContain(`\x1b]52;c;${Buffer.from('x = "ä"').toString('base64')}\x07`);
});
