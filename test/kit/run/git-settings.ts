/** Tests use git as it comes, without what the user who runs them has set: signatures, hooks, line ends. */
export default function setup(): void {
  for (const name of Object.keys(process.env))
    if (/^GIT_(?!EXEC_PATH|SSL)/.test(name)) delete process.env[name];
  process.env['GIT_CONFIG_GLOBAL'] = '/dev/null';
  process.env['GIT_CONFIG_SYSTEM'] = '/dev/null';
}
