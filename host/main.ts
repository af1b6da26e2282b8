/** The process: its arguments in, its exit code out. `--version` answers before anything else is loaded. */
import { version } from './version.ts';

const args = process.argv.slice(2);

// A reader that closes its end (`pegboard mcp add … | head -1`) is no error, and doesn't end a command in the middle of
// its work. Nor is a terminal that was closed.
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE' && !(cause.code === 'EIO' && process.stdout.isTTY)) throw cause;
});
process.stderr.on('error', () => {});

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const [{ runCli }, { processSurroundings }] = await Promise.all([
    import('./cli/run.ts'),
    import('./core/platform/surroundings.ts'),
  ]);
  // Holds only where the process runs out of work before the command has ended.
  process.exitCode = 1;
  process.exitCode = await runCli(args, {
    ...processSurroundings(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    exit: (code) => process.exit(code),
  });
  // What a plugin left running must not keep a finished command alive; output that was written is still flushed.
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}
