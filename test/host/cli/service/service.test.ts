import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { launchdPlist } from '../../../../host/cli/service/launchd-plist.ts';
import { serviceManager } from '../../../../host/cli/service/manager.ts';
import { planService, serviceName } from '../../../../host/cli/service/service-file.ts';
import { noSystemd } from '../../../../host/cli/service/systemd.ts';
import { findProgram } from '../../../../host/core/platform/programs.ts';
import { pegboard, type CliResult } from '../../../kit/cli.ts';

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
    path,
    home: join(folder, 'home'),
    service: (words: readonly string[], home = join(folder, 'home')): Promise<CliResult> =>
      pegboard(['service', ...words], { home, cwd: folder, env }),
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
  expect((await user.ran()).at(-1)).toBe(`journalctl --user --unit=${name} --lines=100 --no-pager --follow`);

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
    stderr: expect.stringContaining('pegboard service install') as string,
  });
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
    await expect(serviceManager({ platform, userHome: '/home/ada' })).rejects.toMatchObject({
      code: 'PEG_USAGE',
      message: expect.stringContaining('pegboard start') as string,
    });
  },
);

const verifier = findProgram('systemd-analyze');

test.skipIf(verifier === undefined)('systemd accepts the unit of a home with any name', async () => {
  await using user = await openUser();
  const home = join(user.folder, `it's 100% $HOME "quoted" \\n ;`);
  await mkdir(home);
  const { stdout } = await user.service(['install', '--dry-run'], home);
  const file = join(user.folder, 'checked.service');
  await writeFile(file, stdout);
  const runtime = join(user.folder, 'run');
  await mkdir(runtime, { mode: 0o700 });
  const checked = spawnSync(verifier!, ['verify', '--user', '--man=no', file], {
    encoding: 'utf8',
    env: { ...process.env, HOME: user.folder, XDG_RUNTIME_DIR: runtime },
  });
  expect(`${checked.stdout}${checked.stderr}`.split('\n').filter((line) => line.includes('checked'))).toEqual(
    [],
  );
  expect(checked.status).toBe(0);
});

test('a launch agent has every argument as it is, and starts again after a failure only', () => {
  const plan = planService('/Users/ada/R&D <home>', '3917', { PATH: '/opt/homebrew/bin:/bin' });
  const text = launchdPlist(plan);
  const strings = [...text.matchAll(/<string>(.*)<\/string>/g)].map(([, value]) => value);
  expect(strings).toContain('/Users/ada/R&amp;D &lt;home&gt;');
  expect(strings).toContain('/opt/homebrew/bin:/bin');
  expect(strings.slice(strings.indexOf('start'))).toEqual(
    expect.arrayContaining(['start', '--http', '3917']),
  );
  expect(text).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
});

test('launchd loads the agent anew, says how it is, and unloads it', async () => {
  await using user = await openUser({ launchctl: 'printf "\\tstate = running\\n\\tpid = 7\\n"' });
  const before = process.env['PATH'];
  process.env['PATH'] = user.path;
  try {
    const manager = await serviceManager({ platform: 'darwin', userHome: user.folder });
    const file = manager.fileOf('pegboard-x');
    expect(file).toBe(join(user.folder, 'Library/LaunchAgents/pegboard-x.plist'));
    await manager.check();
    await manager.start('pegboard-x');
    expect(await manager.state('pegboard-x')).toEqual({ state: 'running', running: true, pid: 7 });
    await manager.stop('pegboard-x');
    const domain = `gui/${process.getuid!()}`;
    expect(await user.ran()).toEqual([
      `launchctl print ${domain}`,
      `launchctl bootout ${domain}/pegboard-x`,
      `launchctl enable ${domain}/pegboard-x`,
      `launchctl bootstrap ${domain} ${file}`,
      `launchctl print ${domain}/pegboard-x`,
      `launchctl bootout ${domain}/pegboard-x`,
    ]);
  } finally {
    process.env['PATH'] = before;
  }
});
