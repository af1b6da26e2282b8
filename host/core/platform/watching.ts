import { thisPlatform } from './this-platform.ts';

/** What a user can do when the system refuses to watch another folder. Undefined for other errors. */
export function watchAdvice(cause: unknown, platform: NodeJS.Platform = thisPlatform): string | undefined {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  // Linux counts watches for each user, and says that there is no space left; others count open files of the process.
  if (platform === 'linux' && code === 'ENOSPC')
    return 'The limit of watched files is reached: `sysctl fs.inotify.max_user_watches=524288` raises it.';
  if (platform === 'linux' && code === 'EMFILE')
    return 'Too many programs of this user watch files: `sysctl fs.inotify.max_user_instances=512` allows more.';
  if (code === 'EMFILE' || code === 'ENFILE')
    return platform === 'win32'
      ? 'This process has too many files open.'
      : 'This process has too many files open: `ulimit -n 10240` allows more.';
  return undefined;
}
