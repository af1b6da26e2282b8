import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { follow, type RunningCli } from '../kit/cli.ts';
import { madeOnce } from '../kit/made-once.ts';
import { packForNpm, type Ran } from '../kit/npm-package.ts';
import { keys } from '../kit/pty.ts';

/** Somebody with an empty home folder, the system's Node, and the package as a file. */
export interface Newcomer extends AsyncDisposable {
  /** Their home folder. */
  readonly folder: string;
  /** The home that Pegboard uses by default. */
  readonly home: string;
  /** `npm install --global` of the file, or of what `args` say. */
  npm(...args: readonly string[]): Promise<Ran>;
  /** The same installation, copied from the first one of a test run. */
  install(): Promise<void>;
  /** Runs what is installed, without a terminal. */
  run(args: readonly string[], cwd?: string): Promise<Ran>;
  /** Types a command line into a shell on a terminal. */
  type(command: string, cwd?: string): RunningCli;
}

export async function arrive(env: Readonly<Record<string, string>> = {}): Promise<Newcomer> {
  const npm = await packForNpm();
  const folder = join(npm.folder, 'user');
  const prefix = join(npm.folder, 'prefix');
  const bin = join(prefix, 'bin');
  const place = {
    home: folder,
    env: { ...env, npm_config_prefix: prefix, OLLAMA_HOST: 'http://127.0.0.1:9', TERM: 'xterm-256color' },
  };
  const { PATH = '', ...others } = npm.environment(place);
  const whole = { ...others, PATH: `${bin}:${PATH}` };
  return {
    folder,
    home: join(folder, '.pegboard'),
    npm: (...args) =>
      npm.run('npm', args.length > 0 ? args : ['install', '--global', npm.tarball], folder, place),
    async install() {
      const made = await madeOnce('installed', async (target) => {
        const args = ['install', '--global', '--prefix', target, npm.tarball];
        const { code, stderr } = await npm.run('npm', args, folder, place);
        if (code !== 0) throw new Error(stderr);
      });
      await cp(made, prefix, { recursive: true, verbatimSymlinks: true });
    },
    run: (args, cwd = folder) =>
      npm.run(join(bin, 'pegboard'), args, cwd, {
        ...place,
        node: bin,
        env: { ...place.env, PATH: whole.PATH },
      }),
    type: (command, cwd = folder) =>
      follow(
        spawn('script', ['-qefc', `stty cols 100 rows 40; ${command}`, '/dev/null'], { cwd, env: whole }),
      ),
    [Symbol.asyncDispose]: () => npm[Symbol.asyncDispose](),
  };
}

/** Answers the questions of set-up about the model: a server at this address. */
export async function answerModel(session: RunningCli, baseUrl: string): Promise<void> {
  const { stdin } = session.child;
  await session.next(/Which model answers\?[^]*● Not now/);
  stdin.write(`${keys.up}${keys.enter}`);
  await session.next(/Address, up to \/v1/);
  stdin.write(`${baseUrl}${keys.enter}`);
  await session.next(/Key, if it needs one/);
  stdin.write(keys.enter);
  await session.next(/Which of its models\?[^]*● scripted/);
  stdin.write(keys.enter);
  await session.next(/own\/scripted answers/);
  await session.next(/Answer on Telegram too\?[^]*● Not now/);
}
