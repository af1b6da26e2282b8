import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from '../../core/errors.ts';
import { runProcess } from '../../core/processes/process.ts';
import { shortSize } from '../../core/text/short-size.ts';
import { fetchTimeoutMs, maxDownloadBytes, maxPackageBytes } from './limits.ts';

export interface FetcherRun {
  /** "npm" or "git", with its arguments. */
  readonly argv: readonly string[];
  /** What was downloaded is unpacked here. */
  readonly cwd: string;
  /** Everything that is downloaded goes into this folder. */
  readonly downloads: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Milliseconds between looks at how much there is. */
const lookEveryMs = 1_000;

/**
 * Runs npm or git to its end, and returns what it prints. Throws PEG_COMMAND_FAILED with what it complains about,
 * PEG_LIMIT when it downloads too much, PEG_TIMEOUT, PEG_CANCELLED and PEG_PROGRAM_NOT_FOUND.
 */
export async function runFetcher({ argv, cwd, downloads, environment, signal }: FetcherRun): Promise<string> {
  const [program = ''] = argv;
  const full = new AbortController();
  const isTooMuch = (): boolean => sizeOf(downloads) > maxDownloadBytes || sizeOf(cwd) > maxPackageBytes;
  const looking = setInterval(() => {
    if (isTooMuch()) full.abort();
  }, lookEveryMs);
  try {
    const { exitCode, ended, stdout, stderr } = await runProcess({
      argv,
      cwd,
      environment,
      signal: AbortSignal.any([signal, full.signal]),
      timeoutMs: fetchTimeoutMs,
    });
    if (full.signal.aborted || isTooMuch())
      throw new PegboardError(
        'PEG_LIMIT',
        `${program} was stopped: a plugin and its packages are up to ${shortSize(maxDownloadBytes)} of downloads, and ${shortSize(maxPackageBytes)} unpacked.`,
      );
    if (ended === 'aborted') throw new PegboardError('PEG_CANCELLED', 'Nothing was changed.');
    if (ended === 'timeout')
      throw new PegboardError('PEG_TIMEOUT', `${program} took more than ${fetchTimeoutMs / 60_000} minutes.`);
    if (exitCode === 0) return stdout;
    throw new PegboardError('PEG_COMMAND_FAILED', complaintIn(stderr) || `${program} ended with ${exitCode}`);
  } finally {
    clearInterval(looking);
  }
}

/** Lines of a complaint that are shown. */
const maxLines = 4;

/** What npm or git says, without the marks in front of its lines and where its log is. */
const complaintIn = (stderr: string): string =>
  stderr
    .split('\n')
    .map((line) => line.replace(/^(?:npm (?:error|ERR!)|fatal:|error:|remote:)\s*/, '').trim())
    .filter((line) => line !== '' && !/^(?:code \w+$|npm warn|A complete log of this run)/i.test(line))
    .slice(0, maxLines)
    .join(' ');

/** Bytes in a folder; what disappears meanwhile doesn't count. */
function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + sizeOf(path);
      return sum + (entry.isFile() ? (statSync(path, { throwIfNoEntry: false })?.size ?? 0) : 0);
    }, 0);
  } catch {
    return 0;
  }
}
