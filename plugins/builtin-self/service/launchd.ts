import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PegboardError, type Surroundings } from 'pegboard';
import { quoteWord } from 'pegboard/kit';
import { endTimeoutSeconds, launchdLog, launchdPlist } from './launchd-plist.ts';
import type { ServiceManager } from './manager.ts';
import { runProgram, type Ran } from './run-program.ts';

export function launchd(surroundings: Surroundings): ServiceManager {
  const folder = join(surroundings.userHome, 'Library/LaunchAgents');
  const launchctl = (...args: readonly string[]): Promise<Ran> =>
    runProgram(['launchctl', ...args], surroundings);
  const must = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await launchctl(...args);
    if (code === 0) return;
    throw new PegboardError(
      'PEG_COMMAND_FAILED',
      `launchctl ${args.join(' ')} failed: ${stderr.trim() || `exit code ${code}`}`,
    );
  };
  const domain = `gui/${userInfo().uid}`;
  const fileOf = (name: string): string => join(folder, `${name}.plist`);
  const show = (name: string): Promise<Ran> => launchctl('print', `${domain}/${name}`);
  /** launchctl returns while the service still ends, and refuses to load it again until it has. */
  const remove = async (name: string): Promise<void> => {
    await launchctl('bootout', `${domain}/${name}`);
    for (let left = endTimeoutSeconds * 5 + 25; left > 0 && (await show(name)).code === 0; left--)
      await delay(200);
  };
  return {
    title: 'launchd',
    fileOf,
    describe: launchdPlist,
    async check() {
      const { code } = await launchctl('print', domain);
      if (code === 0) return;
      throw new PegboardError(
        'PEG_USAGE',
        'launchd has no session for this user here, as over ssh before anybody has logged in on the screen. Log in on this Mac once, then run this again.',
      );
    },
    async start(name) {
      // launchd reads the file only when it is loaded.
      await remove(name);
      await must('enable', `${domain}/${name}`);
      await must('bootstrap', domain, fileOf(name));
    },
    stop: remove,
    byHand: (name) => ({
      stop: `launchctl bootout ${domain}/${name}`,
      start: `launchctl bootstrap ${domain} ${quoteWord(fileOf(name))}`,
    }),
    async forget() {},
    async state(name) {
      const { code, stdout } = await show(name);
      if (code !== 0) return { state: 'not loaded', running: false };
      const [, state = 'unknown'] = /^\s*state = (.+)$/m.exec(stdout) ?? [];
      const [, pid] = /^\s*pid = (\d+)$/m.exec(stdout) ?? [];
      return { state, running: state === 'running', ...(pid !== undefined && { pid: Number(pid) }) };
    },
    logs: ({ home }, follow) => ['tail', '-n', '100', ...(follow ? ['-F'] : []), launchdLog(home)],
    advice: () => Promise.resolve('It runs while you are logged in on this Mac.'),
  };
}
