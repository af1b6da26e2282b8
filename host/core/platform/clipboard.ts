import { findProgram, pathOf } from './programs.ts';
import { thisPlatform } from './this-platform.ts';

/** A command that prints the picture in the clipboard as PNG. It fails, or prints nothing, where there is none. */
export interface PictureReader {
  readonly argv: readonly [string, ...string[]];
  /** The picture in what it prints; empty for none. */
  readonly decode: (printed: Buffer) => Buffer;
}

interface Desktop {
  readonly platform?: NodeJS.Platform;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly find?: (name: string) => string | undefined;
}

/** Undefined where the clipboard can't be reached: without a desktop, or without the program that reads it. */
export function pictureReader({
  platform = thisPlatform,
  environment,
  find = (name) => findProgram(name, pathOf(environment)),
}: Desktop): PictureReader | undefined {
  if (platform === 'darwin') return onMac(find('pngpaste'));
  if (platform === 'win32') return onWindows;
  const readers: readonly (readonly [variable: string, name: string, args: readonly string[]])[] = [
    ['WAYLAND_DISPLAY', 'wl-paste', ['--no-newline', '--type', 'image/png']],
    ['DISPLAY', 'xclip', ['-selection', 'clipboard', '-target', 'image/png', '-out']],
  ];
  for (const [variable, name, args] of readers) {
    const program = environment[variable] ? find(name) : undefined;
    if (program !== undefined) return { argv: [program, ...args], decode: (printed) => printed };
  }
  return undefined;
}

function onMac(pngpaste: string | undefined): PictureReader {
  if (pngpaste !== undefined) return { argv: [pngpaste, '-'], decode: (printed) => printed };
  return {
    argv: ['osascript', '-e', 'the clipboard as «class PNGf»'],
    // It prints «data PNGf89504E47…».
    decode: (printed) => Buffer.from(/PNGf([0-9A-F]+)/.exec(printed.toString('latin1'))?.[1] ?? '', 'hex'),
  };
}

const onWindows: PictureReader = {
  argv: [
    'powershell.exe',
    '-NoProfile',
    '-NonInteractive',
    '-STA',
    '-Command',
    'Add-Type -AssemblyName System.Windows.Forms, System.Drawing; $picture = [Windows.Forms.Clipboard]::GetImage(); if ($picture) { $bytes = New-Object IO.MemoryStream; $picture.Save($bytes, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($bytes.ToArray()) }',
  ],
  decode: (printed) => Buffer.from(printed.toString('latin1'), 'base64'),
};
