import { tmpdir } from 'node:os';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { thisPlatform } from './this-platform.ts';

/** The program that opens a URL in the person's browser. Undefined where there is no desktop. */
export function browserProgram(
  { DISPLAY, WAYLAND_DISPLAY }: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform = thisPlatform,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  // Without a desktop xdg-open would start a text browser in this very terminal.
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Whether the person's browser can open a file in a hidden folder: one that snap confines, as on Ubuntu, can't. */
export function readsHiddenFolders(
  env: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform = thisPlatform,
): boolean {
  if (platform !== 'linux' || !existsSync('/snap/bin')) return true;
  const asked = spawnSync('xdg-settings', ['get', 'default-web-browser'], {
    encoding: 'utf8',
    env,
    cwd: tmpdir(),
    timeout: 2_000,
  });
  // Snap names an application after its package: "firefox_firefox.desktop".
  return !/^[\w-]+_[\w-]+\.desktop/.test(asked.stdout ?? '');
}
