/**
 * `node supervise.ts JSON`: restarts the host on what is checked out, looks whether it is well, and otherwise goes back
 * to the version before and restarts that. Imports nothing of the project: what is being tried out must not decide.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface Supervision {
  readonly root: string;
  readonly home: string;
  /** What to go back to. */
  readonly good: string;
  readonly restart: readonly string[];
  readonly health: readonly string[];
  /** Seconds. */
  readonly healthAfter: number;
}

const looks = 3;
/** Milliseconds for one command. */
const timeout = 15_000;

const { root, good, restart, health, healthAfter, deployedTag } = JSON.parse(
  process.argv[2]!,
) as Supervision & {
  readonly deployedTag: string;
};
const say = (text: string): void => console.log(`${new Date().toISOString()} ${text}`);
const run = (argv: readonly string[]): boolean =>
  spawnSync(argv[0]!, argv.slice(1), { cwd: root, timeout, killSignal: 'SIGKILL' }).status === 0;

/** It has to be well each time: a host that crashes after a second is not. */
async function isWell(): Promise<boolean> {
  await delay(healthAfter * 1000);
  for (let look = 0; look < looks; look++) {
    if (!run(health)) return false;
    await delay(1000);
  }
  return true;
}

say(`restarting; back to ${good} if it is not well`);
if (run(restart) && (await isWell())) {
  run(['git', 'tag', '-f', deployedTag, 'HEAD']);
  say('the new version is well');
} else {
  say('the new version is not well; going back');
  const identity = [
    '-c',
    'user.name=Pegboard',
    '-c',
    'user.email=agent@pegboard.local',
    '-c',
    'core.hooksPath=/dev/null',
  ];
  // The files of the good version, as a new commit: nothing of what was tried is lost.
  run(['git', 'checkout', '-q', good, '--', '.']);
  run(['git', ...identity, 'commit', '-q', '-a', '-m', `Back to ${good}: the version after it was not well`]);
  run(restart);
  const well = await isWell();
  say(well ? `${good} is in service again` : `${good} is not well either: somebody has to look`);
  process.exitCode = 1;
}
