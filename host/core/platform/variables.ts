import { thisPlatform } from './this-platform.ts';

/** Without these, programs on Windows find neither their libraries nor the user's folders. */
const onWindows =
  /^(?:APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATH|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMDATA|PROGRAMFILES.*|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR)$/i;
const forCommands = /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_ALL|LC_CTYPE|TZ|TERM|TMPDIR)$/;
const forServers =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|DISPLAY|WAYLAND_DISPLAY|XDG_[A-Z_]+|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:HTTPS?|NO|ALL)_PROXY|(?:https?|no|all)_proxy)$/;

/** Whether commands have it if the host does. */
export const isInherited = (name: string, platform: NodeJS.Platform = thisPlatform): boolean =>
  (platform === 'win32' ? onWindows : forCommands).test(name);

/**
 * The variables of the host that a child process inherits: a command, or an MCP server. Everything else, especially
 * secrets, has to be passed explicitly.
 */
export function inheritedVariables(
  kind: 'command' | 'server',
  from: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform = thisPlatform,
): Record<string, string> {
  const names = platform === 'win32' ? onWindows : kind === 'command' ? forCommands : forServers;
  const passed = Object.entries(from).filter(
    (entry): entry is [string, string] => names.test(entry[0]) && entry[1] !== undefined,
  );
  return Object.fromEntries(passed);
}
