import { spawn } from 'node:child_process';

/** Opens the URL in the person's browser, where there is one. A failure is no error: the URL is shown too. */
export function openUrl(url: string): void {
  const program = browserProgram();
  if (!program) return;
  const [command, ...args] = program;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function browserProgram(): [string, ...string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  // Without a desktop xdg-open would start a text browser in this very terminal.
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
