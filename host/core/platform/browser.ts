import { thisPlatform } from './this-platform.ts';

/** The program that opens a URL in the person's browser. Undefined where there is no desktop. */
export function browserProgram(
  platform: NodeJS.Platform = thisPlatform,
  { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv = process.env,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  // Without a desktop xdg-open would start a text browser in this very terminal.
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
