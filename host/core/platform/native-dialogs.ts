import type { QuestionKind } from '../../api/ask.ts';
import { findProgram, pathOf } from './programs.ts';
import { thisPlatform } from './this-platform.ts';

/** What a dialog of the system shows. */
export interface NativeDialog {
  readonly kind: QuestionKind;
  readonly title: string;
  readonly text: string;
  /** Of kind `dialog`. */
  readonly choices: readonly string[];
  /** Of kind `files`. */
  readonly multiple: boolean;
}

interface Desktop {
  readonly platform?: NodeJS.Platform;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly find?: (name: string) => string | undefined;
}

/**
 * The command that shows a dialog of the system. It prints the label that was chosen, or the paths of files, one per line,
 * and fails when the dialog was closed. Undefined where there is no desktop, or it has no dialog of this kind.
 */
export function nativeDialog(
  dialog: NativeDialog,
  { platform = thisPlatform, environment, find = (name) => findProgram(name, pathOf(environment)) }: Desktop,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return appleScript(dialog);
  const hasDesktop = environment['DISPLAY'] || environment['WAYLAND_DISPLAY'];
  const zenity = platform === 'win32' || !hasDesktop ? undefined : find('zenity');
  return zenity === undefined ? undefined : zenityCommand(zenity, dialog);
}

function zenityCommand(
  zenity: string,
  { kind, title, text, choices, multiple }: NativeDialog,
): readonly [string, ...string[]] | undefined {
  const said = asMarkup([title, text].filter(Boolean).join('\n'));
  switch (kind) {
    case 'notification':
      return [zenity, '--notification', `--text=${said}`];
    case 'files':
      return [
        zenity,
        '--file-selection',
        `--title=${title}`,
        '--separator=\n',
        ...(multiple ? ['--multiple'] : []),
      ];
    case 'dialog':
      return [
        zenity,
        '--list',
        `--title=${title}`,
        `--text=${said}`,
        '--column=',
        '--hide-header',
        '--',
        ...choices,
      ];
    default:
      return undefined;
  }
}

/** Zenity reads Pango's markup and C's escapes in what it shows. */
const asMarkup = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The texts are arguments, so none of them is read as a script. */
function appleScript({
  kind,
  title,
  text,
  choices,
  multiple,
}: NativeDialog): readonly [string, ...string[]] | undefined {
  const run = (lines: readonly string[], ...given: readonly string[]) =>
    [
      'osascript',
      ...['on run argv', ...lines, 'end run'].flatMap((line) => ['-e', line]),
      ...given,
    ] as const satisfies readonly [string, ...string[]];
  switch (kind) {
    case 'notification':
      return run(['display notification (item 2 of argv) with title (item 1 of argv)'], title, text);
    case 'files':
      return run(
        [
          multiple
            ? 'set chosen to choose file with prompt (item 1 of argv) with multiple selections allowed'
            : 'set chosen to {choose file with prompt (item 1 of argv)}',
          'set paths to ""',
          'repeat with one in chosen',
          'set paths to paths & POSIX path of one & linefeed',
          'end repeat',
          'return paths',
        ],
        title,
      );
    case 'dialog':
      return run(
        [
          'set chosen to choose from list (items 3 thru -1 of argv) with title (item 1 of argv) with prompt (item 2 of argv)',
          'if chosen is false then error number -128',
          'return item 1 of chosen',
        ],
        title,
        text,
        ...choices,
      );
    default:
      return undefined;
  }
}
