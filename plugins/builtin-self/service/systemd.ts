import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { asSentence, pegboard, PegboardError, type Surroundings } from 'pegboard';
import { docsPage, pegboardAnywhere } from 'pegboard/kit';
import type { ServiceManager } from './manager.ts';
import { runProgram, type Ran } from './run-program.ts';
import { systemdUnit } from './systemd-unit.ts';

export function systemd(surroundings: Surroundings): ServiceManager {
  const { env, userHome } = surroundings;
  const folder = join(env['XDG_CONFIG_HOME'] || join(userHome, '.config'), 'systemd/user');
  const systemctl = (...args: readonly string[]): Promise<Ran> =>
    runProgram(['systemctl', '--user', ...args], surroundings);
  const must = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await systemctl(...args);
    if (ran.code === 0) return ran;
    throw new PegboardError(
      'PEG_COMMAND_FAILED',
      `systemctl --user ${args.join(' ')} failed: ${ran.stderr.trim() || `exit code ${ran.code}`}`,
    );
  };
  return {
    title: 'systemd',
    fileOf: (name) => join(folder, `${name}.service`),
    describe: systemdUnit,
    async check() {
      const { code, stderr } = await systemctl('show-environment').catch((cause: PegboardError) => {
        if (cause.code !== 'PEG_PROGRAM_NOT_FOUND') throw cause;
        throw noSystemd('systemctl is not installed', systemAround(env));
      });
      if (code !== 0) throw noSystemd(stderr.trim() || `systemctl ended with ${code}`, systemAround(env));
    },
    async start(name) {
      await must('daemon-reload');
      await must('enable', `${name}.service`);
      // Also where it runs already, with what its file said before. A service that gave up is counted anew.
      await systemctl('reset-failed', `${name}.service`);
      await must('restart', `${name}.service`);
    },
    async stop(name) {
      await must('disable', '--now', `${name}.service`);
    },
    byHand: (name) => ({
      stop: `systemctl --user stop ${name}.service`,
      start: `systemctl --user start ${name}.service`,
    }),
    async forget() {
      await must('daemon-reload');
    },
    async state(name) {
      const { stdout } = await must('show', `${name}.service`, '--property=ActiveState,SubState,MainPID');
      const {
        ActiveState = 'unknown',
        SubState = '',
        MainPID = '0',
      } = Object.fromEntries(stdout.split('\n').flatMap((line) => [line.split('=', 2) as [string, string]]));
      const pid = Number(MainPID);
      return {
        state: SubState === '' ? ActiveState : `${ActiveState} (${SubState})`,
        running: ActiveState === 'active',
        ...(pid > 0 && { pid }),
      };
    },
    // With --user it would look for a journal of this user alone, which a system without a kept journal doesn't have.
    logs: ({ name }, follow) => [
      'journalctl',
      `--user-unit=${name}.service`,
      '--lines=100',
      '--no-pager',
      ...(follow ? ['--follow'] : []),
    ],
    async advice() {
      const user = userInfo().username;
      const said = await runProgram(['loginctl', 'show-user', user, '--property=Linger'], surroundings).catch(
        () => undefined,
      );
      if (said?.stdout.trim() === 'Linger=yes') return undefined;
      return `It stops when you log out, and starts when you log in. To keep it running, and start it at boot: loginctl enable-linger ${user}`;
    },
  };
}

/** Where this process runs, as far as it explains a missing service manager. */
export type SystemAround = 'container' | 'wsl' | 'systemd' | 'other';

function systemAround(env: Surroundings['env']): SystemAround {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv') || env['container']) return 'container';
  if (existsSync('/run/systemd/system')) return 'systemd';
  return /microsoft/i.test(read('/proc/version')) ? 'wsl' : 'other';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What to do in each of them. START stands for the command that starts this installation from any folder. */
const remedies = {
  container: `In a container, let "START" be its program, and the container engine restart it (${docsPage('containers.md')}).`,
  wsl: 'In WSL, put "[boot]" and "systemd=true" into /etc/wsl.conf, and run "wsl --shutdown" in Windows. This needs WSL 2.',
  systemd:
    'systemd runs, but not for this user here, as after su or sudo. Log in as this user (ssh, or machinectl shell USER@), or run "loginctl enable-linger USER" and set XDG_RUNTIME_DIR=/run/user/$(id -u).',
  other: `This system has another service manager, such as OpenRC or runit: let it run "START" as your user (${docsPage('service.md')} has an example).`,
} as const satisfies Record<SystemAround, string>;

export const noSystemd = (why: string, where: SystemAround): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `There is no systemd for this user: ${asSentence(why)} ${remedies[where].replace('START', () => `${pegboardAnywhere()} start`)} \`${pegboard} service install --dry-run\` prints the unit.`,
  );
