import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { launchdPlist } from '../../../../plugins/builtin-self/service/launchd-plist.ts';
import { serviceManager } from '../../../../plugins/builtin-self/service/manager.ts';
import { planService, serviceName } from '../../../../plugins/builtin-self/service/service-file.ts';
import { noSystemd } from '../../../../plugins/builtin-self/service/systemd.ts';
import { findProgram, pathOf } from '../../../../host/core/platform/programs.ts';
import { lockHome } from '../../../../host/store/files/home-lock.ts';
import { packageEntry, cloneEntry, follow, pegboard, type CliResult } from '../../../kit/cli.ts';

/** A user whose service manager writes down what it is asked, and answers with the lines of a shell script. */
async function openUser(answers: { readonly [program: string]: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-service-'));
  const bin = join(folder, 'bin');
  const ran = join(folder, 'ran');
  await mkdir(bin);
  await writeFile(ran, '');
  for (const program of ['systemctl', 'loginctl', 'journalctl', 'launchctl'])
    await writeFile(
      join(bin, program),
      `#!/bin/sh\necho "${program} $*" >> '${ran}'\n${answers[program] ?? ''}\n`,
      { mode: 0o755 },
    );
  const path = [bin, process.env['PATH']].join(delimiter);
  const env = { HOME: folder, XDG_CONFIG_HOME: undefined, PATH: path };
  return {
    folder,
    home: join(folder, 'home'),
    service: (
      words: readonly string[],
      home = join(folder, 'home'),
      more: { readonly [name: string]: string } = {},
    ): Promise<CliResult> => pegboard(['service', ...words], { home, cwd: folder, env: { ...env, ...more } }),
    unitOf: (home: string): string => join(folder, `.config/systemd/user/${serviceName(home)}.service`),
    ran: async (): Promise<string[]> => (await readFile(ran, 'utf8')).split('\n').filter(Boolean),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const active = 'case "$2" in show) printf "ActiveState=active\\nSubState=running\\nMainPID=42\\n";; esac';

test('a service is installed, shown and removed, and the home stays', async () => {
  await using user = await openUser({
    systemctl: active,
    loginctl: 'echo Linger=no',
    journalctl: 'echo said',
  });
  const name = `${serviceName(user.home)}.service`;
  const installed = await user.service(['install', '--http', '3917']);
  expect(installed.stderr).toBe('');
  expect(installed.stdout).toContain('It is active (running)');
  expect(installed.stdout).toContain('loginctl enable-linger');
  const unit = await readFile(user.unitOf(user.home), 'utf8');
  expect(unit).toMatch(/^ExecStart="\/.*node" "\/.*pegboard\.cjs" "--home" ".*" "start" "--http" "3917"$/m);
  expect(unit).toContain('Restart=on-failure');
  expect((await user.ran()).filter((line) => line.startsWith('systemctl'))).toEqual([
    'systemctl --user show-environment',
    'systemctl --user daemon-reload',
    `systemctl --user enable ${name}`,
    `systemctl --user reset-failed ${name}`,
    `systemctl --user restart ${name}`,
    `systemctl --user show ${name} --property=ActiveState,SubState,MainPID`,
  ]);

  const status = await user.service(['status', '--json']);
  expect(status.code).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({
    manager: 'systemd',
    installed: true,
    running: true,
    pid: 42,
  });
  expect((await user.service(['logs', '--follow'])).stdout).toBe('said\n');
  expect((await user.ran()).at(-1)).toBe(`journalctl --user-unit=${name} --lines=100 --no-pager --follow`);

  expect((await user.service(['uninstall'])).stdout).toContain('The home is unchanged');
  expect((await user.ran()).slice(-2)).toEqual([
    `systemctl --user disable --now ${name}`,
    'systemctl --user daemon-reload',
  ]);
  expect(existsSync(user.unitOf(user.home))).toBe(false);
  expect(existsSync(user.home)).toBe(true);
  expect((await user.service(['status'])).code).toBe(1);
  expect(await user.service(['uninstall'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/No service is installed for .*Nothing was changed/) as string,
  });
});

test('an upgrade says how to stop the service for a while, not how to remove it', async () => {
  await using user = await openUser({ systemctl: active });
  await user.service(['install']);
  using _host = await lockHome(join(user.home, 'data/host.lock'));
  const { code, stderr } = await pegboard(['upgrade', '--yes', '--trust-home'], {
    home: user.home,
    entry: cloneEntry,
    env: { HOME: user.folder, XDG_CONFIG_HOME: undefined },
  });
  expect(code).toBe(2);
  const unit = `${serviceName(user.home)}.service`;
  expect(stderr).toMatch(new RegExp(`in use by a host \\(process ${process.pid} on `));
  expect(stderr).toContain(`\`systemctl --user stop ${unit}\``);
  expect(stderr).toContain(`\`systemctl --user start ${unit}\``);
});

test('--dry-run prints the unit and writes nothing, also where no service manager runs', async () => {
  await using user = await openUser({ systemctl: 'exit 1' });
  const { code, stdout } = await user.service(['install', '--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toContain('[Service]');
  expect(existsSync(join(user.folder, '.config'))).toBe(false);
  expect(await user.ran()).toEqual([]);
});

test('two homes have two services', async () => {
  await using user = await openUser({ systemctl: active });
  const [one, two] = [join(user.folder, 'a/home'), join(user.folder, 'b/home')];
  await user.service(['install'], one);
  await user.service(['install'], two);
  expect(existsSync(user.unitOf(one)) && existsSync(user.unitOf(two))).toBe(true);
  expect(serviceName(one)).not.toBe(serviceName(two));
});

test('secrets of the environment and the home are not in the unit', async () => {
  await using user = await openUser();
  await mkdir(user.home);
  await writeFile(join(user.home, '.env'), 'OPENAI_API_KEY=sk-of-the-home\n');
  const { stdout } = await pegboard(['service', 'install', '--dry-run', '--trust-home'], {
    home: user.home,
    env: { HOME: user.folder, ANTHROPIC_API_KEY: 'sk-of-the-shell', PEGBOARD_PASSPHRASE: 'open-sesame' },
  });
  expect(stdout).toContain('ExecStart=');
  expect(stdout).not.toMatch(/sk-of|open-sesame/);
});

test('without systemd nothing is written, and the error says what to do', async () => {
  await using user = await openUser({ systemctl: 'echo "Failed to connect to bus" >&2; exit 1' });
  const { code, stderr } = await user.service(['install']);
  expect(code).toBe(2);
  expect(stderr).toContain('Failed to connect to bus');
  expect(stderr).toContain('--dry-run');
  expect(existsSync(user.unitOf(user.home))).toBe(false);
});

test.for([
  ['container', /docs\/containers\.md/],
  ['wsl', /systemd=true.*wsl --shutdown/],
  ['systemd', /machinectl shell.*XDG_RUNTIME_DIR/],
  ['other', /OpenRC/],
] as const)('%s: a missing systemd is explained', ([where, expected]) => {
  expect(noSystemd('it is not there', where).message).toMatch(expected);
});

test.for(['win32', 'freebsd'] as const)(
  '%s has no service, and the error says what to do',
  async (platform) => {
    await expect(serviceManager(processSurroundings(), platform)).rejects.toMatchObject({
      code: 'PEG_USAGE',
      message: expect.stringContaining('pegboard start') as string,
    });
  },
);

/** Every character with a meaning in a unit: quotes, specifiers, variables, escapes, separators, and what is dropped at an end. */
const oddNames = [`it's 100% $HOME "quoted" \\n ;`, '${HOME} %h ${', 'ends with a space ', 'ends with \\'];

async function writeUnit(user: Awaited<ReturnType<typeof openUser>>, home: string): Promise<string> {
  await mkdir(home);
  const { stdout } = await user.service(['install', '--dry-run', '--http', '3917'], home);
  const file = user.unitOf(home);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, stdout);
  return file;
}

test.for([
  ['the package', packageEntry()],
  ['a clone', cloneEntry],
] as const)(
  'what the unit of %s says runs the host, with nothing else in the environment',
  async ([, entry]) => {
    await using user = await openUser();
    await mkdir(user.home);
    const { stdout } = await pegboard(['service', 'install', '--dry-run', '--trust-home'], {
      home: user.home,
      entry,
      env: { HOME: user.folder, XDG_STATE_HOME: join(user.folder, 'state') },
    });
    const argv = /^ExecStart=(.*)$/m
      .exec(stdout)![1]!
      .split(' ')
      .map((word) => word.slice(1, -1));
    expect(argv[1]).toBe(entry);
    const environment = Object.fromEntries(
      [...stdout.matchAll(/^Environment="(\w+)=(.*)"$/gm)].map(([, key, value]) => [key!, value!]),
    );
    expect(findProgram('npx', { path: environment['PATH'] })).toBeDefined();
    const [program = '', ...args] = argv;
    const child = spawn(program, args, { cwd: user.home, env: { HOME: user.folder, ...environment } });
    await using running = follow(child);
    await running.waitFor(/running \d+ tools/);
    child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  },
);

const verifier = findProgram('systemd-analyze', pathOf(process.env));

test.for(oddNames)('systemd-analyze accepts the unit of a home named %j', async (name, context) => {
  context.skip(verifier === undefined, 'systemd-analyze is not installed');
  await using user = await openUser();
  const file = await writeUnit(user, join(user.folder, name));
  const runtime = join(user.folder, 'run');
  await mkdir(runtime, { mode: 0o700 });
  const checked = spawnSync(verifier!, ['verify', '--user', '--man=no', file], {
    encoding: 'utf8',
    env: { ...process.env, HOME: user.folder, XDG_RUNTIME_DIR: runtime },
  });
  const about = `${checked.stdout}${checked.stderr}`
    .split('\n')
    .filter((line) => line.includes(basename(file)));
  expect(about).toEqual([]);
  expect(checked.status).toBe(0);
});

const manager = '/usr/lib/systemd/systemd';

test.for(oddNames)('systemd reads back the arguments of a home named %j', async (name, context) => {
  context.skip(!existsSync(manager), 'systemd is not installed');
  await using user = await openUser();
  const home = join(user.folder, name);
  const file = await writeUnit(user, home);
  const runtime = join(user.folder, 'run');
  await mkdir(runtime, { mode: 0o700 });
  // systemd tests no units as root.
  const ids = process.getuid!() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (ids.uid !== undefined) spawnSync('chown', ['-R', `${ids.uid}:${ids.gid}`, user.folder]);
  const { stdout } = spawnSync(
    manager,
    ['--user', '--test', '--log-level=debug', '--log-target=console', `--unit=${basename(file)}`],
    {
      encoding: 'utf8',
      maxBuffer: 1e8,
      env: { PATH: process.env['PATH'], HOME: user.folder, XDG_RUNTIME_DIR: runtime },
      ...ids,
    },
  );
  const unit = stdout.slice(stdout.indexOf(`-> Unit ${basename(file)}:`));
  const valueOf = (key: string): string | undefined => new RegExp(`^\\s*${key}: (.*)$`, 'm').exec(unit)?.[1];
  expect(valueOf('WorkingDirectory'), stdout.slice(-2_000)).toBe(home);
  expect(valueOf('Description')).toBe(`Pegboard (${home})`);
  // Quoted as in C where they have to be, each "$" doubled.
  const words = [...valueOf('Command Line')!.matchAll(/"((?:\\.|[^"\\])*)"|\S+/g)].map(([plain, quoted]) =>
    (quoted ?? plain).replaceAll(/\\(.)/g, '$1').replaceAll('$$', '$'),
  );
  expect(words.slice(2)).toEqual(['--home', home, 'start', '--http', '3917']);
});

test("the PATH of a service is the user's without relative folders, and has the Node that runs it", () => {
  const { environment, argv } = planService('/home/ada/assistant', undefined, {
    env: {
      PATH: ['bin', '/home/ada/.npm/_npx/1/node_modules/.bin', '', '/usr/bin', '.'].join(delimiter),
      XDG_STATE_HOME: 'relative',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/company.pem',
      HTTPS_PROXY: 'http://ada:secret@proxy',
    },
  });
  expect(environment).toEqual({
    PATH: [...new Set(['/usr/bin', dirname(argv[0]!)])].join(delimiter),
    NODE_EXTRA_CA_CERTS: '/etc/ssl/company.pem',
  });
});

test('a launch agent has every argument as it is, and starts again after a failure only', () => {
  const plan = planService('/Users/ada/R&D <home>', '3917', { env: { PATH: '/opt/homebrew/bin:/bin' } });
  const text = launchdPlist(plan);
  const strings = [...text.matchAll(/<string>(.*)<\/string>/g)].map(([, value]) => value);
  expect(strings).toContain('/Users/ada/R&amp;D &lt;home&gt;');
  expect(strings).toContainEqual(expect.stringMatching(/^\/opt\/homebrew\/bin:\/bin:/));
  expect(strings.slice(strings.indexOf('start'))).toEqual(
    expect.arrayContaining(['start', '--http', '3917']),
  );
  expect(text).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
});

/** Keeps what is loaded in a file beside it. */
const launchctl = `case "$1" in
bootstrap) [ -e "$0.loaded" ] && { echo 'Bootstrap failed: 5: Input/output error' >&2; exit 5; }; touch "$0.loaded";;
bootout) rm "$0.loaded";;
print) case "$2" in gui/*/*) [ -e "$0.loaded" ] || exit 113; printf '\\tstate = running\\n\\tpid = 7\\n';; esac;;
esac`;

test('on macOS a launch agent is installed, shown, replaced and removed', async () => {
  await using user = await openUser({ launchctl });
  const preload = join(user.folder, 'as-macos.cjs');
  await writeFile(preload, "Object.defineProperty(process, 'platform', { value: 'darwin' });\n");
  const service = (...words: readonly string[]): Promise<CliResult> =>
    user.service(words, user.home, { NODE_OPTIONS: `--require=${preload}` });
  const name = serviceName(user.home);
  const file = join(user.folder, `Library/LaunchAgents/${name}.plist`);

  const installed = await service('install');
  expect(installed).toMatchObject({ code: 0, stderr: '' });
  expect(installed.stdout).toContain('It is running');
  expect(await readFile(file, 'utf8')).toContain(`<string>${user.home}</string>`);
  expect(await service('install', '--http', '3917')).toMatchObject({ code: 0, stderr: '' });
  const domain = `gui/${process.getuid!()}`;
  expect((await user.ran()).slice(-6)).toEqual([
    `launchctl print ${domain}`,
    `launchctl bootout ${domain}/${name}`,
    `launchctl print ${domain}/${name}`,
    `launchctl enable ${domain}/${name}`,
    `launchctl bootstrap ${domain} ${file}`,
    `launchctl print ${domain}/${name}`,
  ]);

  expect(JSON.parse((await service('status', '--json')).stdout)).toMatchObject({
    manager: 'launchd',
    state: 'running',
    running: true,
    pid: 7,
  });
  await writeFile(join(user.home, 'data/service.log'), 'said\n');
  expect((await service('logs')).stdout).toBe('said\n');
  expect((await service('uninstall')).stdout).toContain('The home is unchanged');
  expect(existsSync(file)).toBe(false);
  expect((await service('status')).code).toBe(1);
});

test('set-up installs the service where that is said, and asks only where there is one', async () => {
  await using user = await openUser();
  await mkdir(user.home);
  const env = { HOME: user.folder, XDG_CONFIG_HOME: undefined, PATH: join(user.folder, 'bin') };
  const path = [env.PATH, process.env['PATH']].join(delimiter);
  const ended = await pegboard(['setup', '--yes', '--service', '--trust-home'], {
    home: user.home,
    env: { ...env, PATH: path, XDG_RUNTIME_DIR: user.folder },
  });
  expect(ended, ended.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('installed pegboard-') as string,
  });
  expect(existsSync(user.unitOf(user.home))).toBe(true);
});

test('set-up offers no service where its plugin is off, and says so where one is asked for', async () => {
  await using user = await openUser({ systemctl: active });
  await mkdir(user.home);
  await writeFile(join(user.home, 'pegboard.yaml'), 'plugins: { builtin-self: { enabled: false } }\n');
  const setup = (...words: readonly string[]): Promise<CliResult> =>
    pegboard(['setup', '--yes', '--trust-home', ...words], { home: user.home, cwd: user.folder });
  expect(await setup('--self')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('installed') });
  expect(await setup('--service')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the plugin builtin-self is off') as string,
  });
  expect(await user.ran()).toEqual([]);
});
