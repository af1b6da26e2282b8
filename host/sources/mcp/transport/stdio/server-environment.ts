/** Variables that a server's process inherits. Everything else, including secrets, must be in its `env`. */
const inherited =
  process.platform === 'win32'
    ? /^(APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATH|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMDATA|PROGRAMFILES.*|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR)$/i
    : /^(HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|DISPLAY|WAYLAND_DISPLAY|XDG_[A-Z_]+|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy)$/;

export function serverEnvironment(
  own: Readonly<Record<string, string>>,
  from: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const passed = Object.entries(from).filter(
    (entry): entry is [string, string] => inherited.test(entry[0]) && entry[1] !== undefined,
  );
  return { ...Object.fromEntries(passed), ...own };
}
