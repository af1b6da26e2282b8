import { execFileSync } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userStateFolder } from '../../../host/core/platform/places.ts';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import type { Check } from '../../../host/api/diagnostic.ts';
import { createHost } from '../../../host/create-host.ts';
import { openUserState } from '../../../host/store/owner/user-state.ts';
import { fingerprintOf } from '../../../host/tools/fingerprint.ts';
import { pegboard, pegboardJson } from '../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { fixture } from '../../kit/mcp/mcp-source.ts';

type Entries = { readonly [name: string]: object };

/** A setting that weakens a home, doctor's finding, and the settings that the hint asks for. */
interface Loose {
  readonly what: string;
  readonly servers?: Entries;
  readonly plugins?: Entries;
  readonly finding: RegExp;
  readonly fix: RegExp;
  readonly tight?: { readonly servers?: Entries; readonly plugins?: Entries };
  /** Applies the rest of the hint. */
  readonly follow?: (home: TestHome, fix: string) => Promise<unknown> | void;
}

const echoes = fixture('echoes');
const destroys = fixture('destroys');
const named = (program: string, ...args: string[]): object => ({ command: `/no/such/${program}`, args });
const old = '2026-01-01T00:00:00.000Z';

/** The command in a hint, as typed. */
const shell = (home: TestHome, fix: string): void => void execFileSync('sh', ['-c', fix], { cwd: home.path });
const command = async (home: TestHome, fix: string): Promise<void> => {
  const words = fix.replace(/^pegboard /, '').split(' ');
  const { code, stderr } = await pegboard(words, { home: home.path, input: 'a-long-value' });
  expect(code, `${fix}: ${stderr}`).toBe(0);
};
const setSecret = (home: TestHome, fix: string): Promise<void> =>
  command(home, /^(pegboard secret set \w+), then write/.exec(fix)![1]!);

const cases: readonly Loose[] = [
  {
    what: 'an approval of a tool that is gone',
    finding: /^approval s\.gone: the tool no longer exists$/,
    fix: /^pegboard approvals revoke s\.gone$/,
    follow: command,
  },
  {
    what: 'an approval of a tool that has changed since',
    finding: /^approval s\.changed: the tool has changed since, and needs confirmation again$/,
    fix: /^pegboard approvals revoke s\.changed$/,
    follow: command,
  },
  {
    what: 'an approval that nobody used for long',
    finding: /^approval s\.unused: it may run without asking, and was not used for \d+ days$/,
    fix: /^pegboard approvals revoke s\.unused$/,
    follow: command,
  },
  {
    what: 'a destructive tool that does not ask',
    servers: { d: destroys },
    finding: /^mcp d: erase may destroy something, according to the server, and runs without asking$/,
    fix: /^confirm: \[erase\] in mcpServers\.d$/,
    tight: { servers: { d: { ...destroys, confirm: ['erase'] } } },
  },
  {
    what: 'an agent with every tool',
    servers: { e: destroys },
    finding: /^agent s: may use every tool of every source, including d\.erase, e\.erase$/,
    fix: /^name what it needs under tools\.modules in spaces\/s\/agent\/agent\.yaml$/,
    follow: (home) =>
      home.write('spaces/s/agent/agent.yaml', 'name: S\ntools:\n  modules:\n    filesystem: {}\n'),
  },
  {
    what: 'a package without a version',
    servers: { n: named('npx', '-y', '@scope/server@latest', '--flag') },
    finding: /^mcp n: runs whatever version of @scope\/server@latest is the newest when it starts$/,
    fix: /^write @scope\/server@VERSION, with the version that you reviewed, in args of mcpServers\.n in pegboard\.yaml$/,
    tight: { servers: { n: named('npx', '-y', '@scope/server@1.2.3', '--flag') } },
  },
  {
    what: 'a Python package without a version',
    servers: { u: named('uvx', '--from', 'a-server', 'serve') },
    finding: /^mcp u: runs whatever version of a-server is the newest when it starts$/,
    fix: /^write a-server==VERSION, /,
    tight: { servers: { u: named('uvx', '--from', 'a-server==1.2', 'serve') } },
  },
  {
    what: 'a plugin that is trusted whatever is in it',
    plugins: { dice: { trusted: true } },
    finding: /^plugin dice: its code runs without review, now and after every change/,
    fix: /^take trusted out of plugins\.dice in pegboard\.yaml, then pegboard approvals allow dice approves it as it is$/,
    tight: { plugins: { dice: {} } },
    follow: (home) => command(home, 'pegboard approvals allow dice --yes'),
  },
  {
    what: 'a server that may change its tools',
    finding: /^mcp t: may change what its tools say and do without asking/,
    fix: /^take trust out of mcpServers\.t in \.mcp\.json$/,
    follow: (home) => home.write('.mcp.json', JSON.stringify({ mcpServers: { t: echoes } })),
  },
  {
    what: 'a token in the configuration',
    servers: { g: { ...echoes, env: { GITHUB_TOKEN: 'ghp_0123456789abcdefghijklmn' } } },
    finding:
      /^secrets: pegboard\.yaml:\d+ contains a secret in plain text \(mcpServers\.g\.env\.GITHUB_TOKEN\)$/,
    fix: /^pegboard secret set GITHUB_TOKEN, then write \$\{GITHUB_TOKEN\} there$/,
    tight: { servers: { g: { ...echoes, env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' } } } },
    follow: setSecret,
  },
  {
    what: 'files that others can read',
    finding: /^data: other users of this machine could read data and \d+ more$/,
    fix: /^nothing to do: only you can read it now$/,
  },
  {
    what: 'files that others can write',
    finding: /^home: other users of this machine can change what runs here: spaces$/,
    fix: /^chmod -R o-w /,
    follow: shell,
  },
  {
    what: 'all of your files as a root',
    plugins: { 'builtin-core': { config: { roots: ['~'] } } },
    finding: new RegExp(`^roots: file tools may use all of ${homedir()}, including your keys and settings$`),
    fix: /^name the folders in it that they need in plugins\.builtin-core\.config\.roots in pegboard\.yaml$/,
    tight: { plugins: { 'builtin-core': { config: { roots: [] } } } },
  },
];

test('each thing that doctor finds is gone when what it says to do is done', async () => {
  const asking = (id: string): string => manifest(id, 'command: ls\nconfirm: true');
  await using home = await createHome({
    'spaces/s/agent/agent.yaml': 'name: S\n',
    'spaces/s/agent/tools/changed.md': asking('changed'),
    'spaces/s/agent/tools/unused.md': asking('unused'),
    'plugins/dice/plugin.yaml': 'id: dice\nversion: "1.0.0"\ndescription: Dice\n',
    'plugins/dice/index.ts': 'export default { setup: () => ({}) };\n',
    '.mcp.json': JSON.stringify({ mcpServers: { t: { ...echoes, trust: true } } }),
    'data/logs/host.log': 'x\n',
  });
  const approvals = ['gone', 'changed', 'unused'].map((id) => ({
    tool: `s.${id}`,
    fingerprint: 'x',
    at: old,
  }));
  approvals[2]!.fingerprint = await fingerprintIn(home, 's.unused');
  await openUserState(home.path, userStateFolder(processSurroundings())).approved.update((now) => ({
    ...now,
    approvals,
  }));
  await mkdir(join(home.path, 'spaces'), { recursive: true });
  for (const path of ['', 'data', 'data/logs']) await chmod(join(home.path, path), 0o755);
  await chmod(join(home.path, 'data/logs/host.log'), 0o644);
  await chmod(join(home.path, 'spaces'), 0o777);
  await configure(home, cases);

  const loose = await examine(home);
  const fixes = cases.map(({ what, finding, fix }) => {
    const found = findings(loose, finding);
    expect(found, `${what}\n${JSON.stringify(loose, null, 1)}`).toMatchObject([
      { status: expect.stringMatching(/warning|failed/), fix: expect.stringMatching(fix) },
    ]);
    return found[0]!.fix!;
  });
  await configure(
    home,
    cases.map((one) => ({ ...one, ...one.tight })),
  );
  for (const [at, { follow }] of cases.entries()) await follow?.(home, fixes[at]!);

  const tight = await examine(home);
  for (const { what, finding } of cases) expect(findings(tight, finding), what).toEqual([]);
  expect(findings(tight, /^config: /)).toMatchObject([{ status: 'ok' }]);
});

const findings = (checks: readonly Check[], wanted: RegExp): readonly Check[] =>
  checks.filter(({ name, message }) => wanted.test(`${name}: ${message}`));

const examine = async (home: TestHome): Promise<readonly Check[]> =>
  (await pegboardJson<{ checks: readonly Check[] }>(['doctor'], { home: home.path })).checks;

function configure(home: TestHome, parts: readonly Pick<Loose, 'servers' | 'plugins'>[]): Promise<string> {
  const mcpServers = Object.assign({}, ...parts.map(({ servers }) => servers)) as Entries;
  const plugins = Object.assign({}, ...parts.map((part) => part.plugins)) as Entries;
  return home.write('pegboard.yaml', JSON.stringify({ mcpServers, plugins }, null, 2));
}

async function fingerprintIn(home: TestHome, id: string): Promise<string> {
  await using host = await createHost({ home: home.path });
  return fingerprintOf(host.registry.snapshot.tools.get(id)!);
}
