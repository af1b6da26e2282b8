import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

interface Failure {
  readonly error: { readonly code: string; readonly message: string };
}
const alone = { env: { DISPLAY: undefined, WAYLAND_DISPLAY: undefined } };

/** A desktop whose dialogs a program answers with `answer`, and notes how it was called. */
function desktop(home: TestHome, answer: string) {
  const bin = join(home.path, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, 'zenity'),
    `#!/bin/sh\nfor one in "$@"; do printf '%s\\n' "$one"; done > "${bin}/called"\n${answer}\n`,
  );
  chmodSync(join(bin, 'zenity'), 0o755);
  return {
    env: { DISPLAY: ':99', WAYLAND_DISPLAY: undefined, PATH: `${bin}${delimiter}${process.env['PATH']}` },
    called: () => readFileSync(join(bin, 'called'), 'utf8'),
  };
}

test.each([
  ['show_dialog', ['title=Sure?', 'choices=["Yes","No"]']],
  ['show_file_picker', ['title=A file']],
  ['show_notification', ['title=Done']],
])('%s says that nobody can be asked', async (name, args) => {
  await using home = await createHome();
  const { error } = await pegboardJson<Failure>(['call', name, ...args], { home: home.path, ...alone });
  expect(error.code).toBe('PEG_NOBODY_TO_ASK');
  expect(error.message).toContain('dashboard` opens a page');
});

test('where nobody is at a terminal or page, a dialog of the system asks', async () => {
  await using home = await createHome();
  const { env, called } = desktop(home, 'echo Staging');
  const args = [
    'call',
    'show_dialog',
    'title=Where to?',
    'text=<b>now</b>',
    'choices=["Staging","Production"]',
  ];
  expect(await pegboard(args, { home: home.path, env })).toMatchObject({ code: 0, stdout: 'Staging\n' });
  expect(called()).toContain('--text=Where to?\n&lt;b&gt;now&lt;/b&gt;\n');
});

test('a dialog of the system that is closed is no answer', async () => {
  await using home = await createHome();
  const { env } = desktop(home, 'exit 1');
  const { stdout, code } = await pegboard(['call', 'show_dialog', 'title=Sure?', 'choices=["Yes"]'], {
    home: home.path,
    env,
  });
  expect({ stdout, code }).toEqual({ stdout: 'The user declined. No button was pressed.\n', code: 0 });
});

test('files of the system’s own dialog come back as text, image and link, marked as the words of others', async () => {
  await using home = await createHome({ 'a note.txt': 'hello\n', 'blob.bin': 'x\0y' });
  const [note, blob] = ['a note.txt', 'blob.bin'].map((file) => join(home.path, file));
  const { env, called } = desktop(home, `printf '%s\\n%s\\n' "${note}" "${blob}"`);
  const result = await pegboardJson<{ readonly content: readonly object[] }>(
    ['call', 'show_file_picker', 'title=Notes', 'multiple=true'],
    { home: home.path, env },
  );
  expect(called()).toContain('--multiple');
  expect(result.content).toMatchObject([
    { type: 'resource_link', name: 'a note.txt', size: 6 },
    { type: 'text', text: 'hello\n' },
    { type: 'resource_link', name: 'blob.bin', size: 3 },
  ]);
});

test('a manifest of type bridge runs one under its own name, schema and confirmation', async () => {
  await using home = await createHome({
    'spaces/personal/agent/tools/where.md': manifest(
      'where',
      'type: bridge\ntool: show_dialog\nconfirm: true\narguments: { choices: [Staging, Production] }\nparameters:\n  - { name: title, type: string, description: The question, required: true }',
    ),
  });
  const { env, called } = desktop(home, 'echo Production');
  const call = ['call', 'personal.where', 'title=Where to?'];
  expect((await pegboard(call, { home: home.path, env })).stderr).toContain('there is nobody to ask here');
  expect(await pegboard([...call, '--yes'], { home: home.path, env })).toMatchObject({
    code: 0,
    stdout: 'Production\n',
  });
  expect(called()).toContain('Where to?');
});

test.each([
  ['tool: show_dialogue', 'there is no bridge tool "show_dialogue"', 'show_dialogue → show_dialog?'],
  ['tool: show_dialog\ncommand: echo hi', 'both define what the tool does', 'delete one of them'],
])('lint says what is wrong with %j', async (more, message, hint) => {
  await using home = await createHome({
    'spaces/personal/agent/tools/where.md': manifest('where', `type: bridge\n${more}`),
  });
  const { stdout, stderr, code } = await pegboard(['lint'], { home: home.path });
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain(message);
  expect(stdout + stderr).toContain(hint);
});

test('in a terminal the person chooses a file by its path', async () => {
  await using home = await createHome({ 'note.txt': 'hello\n' });
  const terminal = startOnTerminal(['call', 'show_file_picker', 'title=A note'], {
    home: home.path,
    ...alone,
  });
  await using _ended = terminal;
  await terminal.waitFor(/A note/);
  terminal.child.stdin.write(`${join(home.path, 'missing.txt')}${keys.enter}`);
  await terminal.waitFor(/it does not exist/);
  terminal.child.stdin.write(`${'\x7f'.repeat('missing.txt'.length)}note.txt${keys.enter}`);
  await terminal.waitFor(/hello/);
});
