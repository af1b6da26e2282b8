import { expect, test } from 'vitest';
import { nativeDialog, type NativeDialog } from '../../../host/core/platform/native-dialogs.ts';

const dialog: NativeDialog = {
  kind: 'dialog',
  title: '--title "x"',
  text: '<b>bold</b> \\n & more',
  choices: ['--help', 'Delete'],
  multiple: false,
};
const find = (name: string): string => `/usr/bin/${name}`;
const linux = { platform: 'linux', environment: { DISPLAY: ':0' }, find } as const;

test('Linux shows a dialog with zenity, and no text of it is an option or markup', () => {
  expect(nativeDialog(dialog, linux)).toEqual([
    '/usr/bin/zenity',
    '--list',
    '--title=--title "x"',
    '--text=--title "x"\n&lt;b&gt;bold&lt;/b&gt; \\\\n &amp; more',
    '--column=',
    '--hide-header',
    '--',
    '--help',
    'Delete',
  ]);
  expect(nativeDialog({ ...dialog, kind: 'files', multiple: true }, linux)).toContain('--multiple');
  expect(nativeDialog({ ...dialog, kind: 'notification' }, linux)?.[1]).toBe('--notification');
});

test('macOS gets the texts as arguments of a script that holds none of them', () => {
  for (const kind of ['dialog', 'files', 'notification'] as const) {
    const command = nativeDialog({ ...dialog, kind }, { platform: 'darwin', environment: {} })!;
    const end = command.indexOf('end run');
    expect(command[0]).toBe('osascript');
    expect(command.slice(0, end).join('\n')).not.toMatch(/bold|Delete|--title/);
    expect(command.slice(end + 1)).toContain(dialog.title);
  }
});

test.each([
  ['Linux without a desktop', { ...linux, environment: {} }],
  ['Linux without zenity', { ...linux, find: () => undefined }],
  ['Windows', { ...linux, platform: 'win32' as const }],
])('%s shows none', (_what, desktop) => {
  expect(nativeDialog(dialog, desktop)).toBeUndefined();
});

test.each(['form', 'url', 'confirm'] as const)('a %s is not shown that way', (kind) => {
  expect(nativeDialog({ ...dialog, kind }, linux)).toBeUndefined();
  expect(nativeDialog({ ...dialog, kind }, { platform: 'darwin', environment: {} })).toBeUndefined();
});
