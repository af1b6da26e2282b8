import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { createRandom } from '../../kit/data/fuzz.ts';
import { createHome } from '../../kit/homes/home.ts';
import { temporaryFolder } from '../../kit/homes/plugin-home.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { programs, shellLine } from '../../kit/shell/shell-lines.ts';

const homeFiles = {
  'notes.txt': 'b\na\n',
  'sub/x.txt': 'x\n',
  'workspace/a.md': 'a\n',
  'workspace/b.md': 'b\n',
  'spaces/work/agent/agent.yaml': 'id: work\n',
  '.env': 'A=secret\n',
};
const outsideFiles = { 'secret.txt': 'secret\n', 'deep/secret.txt': 'secret\n', 'person/.netrc': 'secret\n' };

/** Long ago: the system notes the next time that somebody reads a file. */
const unread = new Date('2001-01-01');

/** A home with a host that judges lines, beside a folder that none may touch, and bash, which shows what they do. */
async function openPlace(config: object, isFree: boolean) {
  const home = await createHome({ ...homeFiles, 'pegboard.yaml': JSON.stringify(config) });
  const outside = temporaryFolder(outsideFiles);
  symlinkSync(outside, join(home.path, 'link'));
  mkdirSync(join(outside, 'deep/er'));
  symlinkSync(join(outside, 'deep/er'), join(home.path, 'sub/back'));
  execFileSync('git', ['init', '-q', home.path]);
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', home.path, ...args]);
  git('add', 'notes.txt', 'sub/x.txt');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'x');
  git('config', 'gc.auto', '0');
  const environment = { PATH: process.env['PATH'], HOME: join(outside, 'person') };
  const host = await createHost({ home: home.path, mcp: 'off', environment });
  const scope = { ...host.scopeFor(undefined), identity: 'agent' } as const;
  const isAllowed = async (command: string): Promise<boolean> =>
    host.rehearse({ name: 'bash', args: { command }, scope, caller: 'test' }).then(
      ({ verdict }) => verdict === 'allow',
      () => false,
    );
  return {
    places: { outside: join(outside, 'secret.txt'), above: `../${basename(outside)}/secret.txt` },
    isAllowed,
    /** What bash did for these lines that no line may do. */
    harmOf: (lines: readonly string[]) => harmOf(lines, { home: home.path, outside, isFree }),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      rmSync(outside, { recursive: true });
    },
  };
}

/** Each line in a shell of its own. What never ends is ended after two seconds of the processor. */
const runAll = String.raw`while IFS= read -r -d '' line; do
  (ulimit -t 2; eval "$line") 3<&- </dev/null >/dev/null 2>&1
done 3<"$0" <&3`;

function harmOf(
  lines: readonly string[],
  { home, outside, isFree }: { readonly home: string; readonly outside: string; readonly isFree: boolean },
): readonly string[] {
  const free = join(home, 'workspace');
  rmSync(free, { recursive: true, force: true });
  for (const [path, text] of Object.entries(homeFiles)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const all = (folder: string): readonly string[] => [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !/^(?:data|\.git)(?:\/|$)/.test(path))
      .map((path) => join(folder, path)),
  ];
  const stateOf = (): ReadonlyMap<string, string> =>
    new Map(
      all(home)
        .filter((path) => !path.startsWith(free))
        .concat(all(outside))
        .map((path) => {
          const stats = lstatSync(path);
          return [path, stats.isFile() ? `${stats.ino} ${stats.mtimeMs}` : String(stats.mode)];
        }),
    );
  const kept = [...all(outside), ...(isFree ? [join(home, '.env')] : [])];
  const markUnread = (): void => kept.forEach((path) => utimesSync(path, unread, unread));
  markUnread();
  const before = stateOf();
  // A listing reads folders.
  markUnread();
  const list = join(tmpdir(), `lines-${process.pid}`);
  writeFileSync(list, lines.map((line) => `${line}\0`).join(''));
  spawnSync('bash', ['--noprofile', '--norc', '-c', runAll, list], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: join(outside, 'person') },
    stdio: 'ignore',
  });
  rmSync(list);
  const read = kept.filter(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.atime.getTime() !== unread.getTime(),
  );
  const after = stateOf();
  const written = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return [...read.map((path) => `read ${path}`), ...written.map((path) => `wrote ${path}`)];
}

const rules = [...new Set(programs.map((program) => `bash(${program.split(' ')[0]!} *)`))];
const modes = {
  'rules with a wildcard': { permissions: { allow: [...rules, 'bash(cd sub)', 'bash(cd link)'] } },
  'bash.confirm: unknown': { plugins: { 'builtin-core': { config: { bash: { confirm: 'unknown' } } } } },
};
const linesPerMode = rounds({ usual: 1_000, all: 10_000, soak: 100_000 });
const linesPerRun = 500;

test.each(Object.entries(modes))(
  'a line that %s allow neither writes nor reads outside, whatever bash makes of it',
  async (_name, config) => {
    await using place = await openPlace(config, 'plugins' in config);
    const { outside } = place.places;
    // The test sees what it looks for.
    expect(place.harmOf([`cat ${outside} >> notes.txt`])).toEqual([
      `read ${outside}`,
      expect.stringMatching(/^wrote .*\/notes\.txt$/),
    ]);
    const random = createRandom(20_261_129);
    const allowed = [];
    for (let count = 0; count < linesPerMode; count++) {
      const line = shellLine(random, place.places);
      if (await place.isAllowed(line)) allowed.push(line);
    }
    expect(allowed.length).toBeGreaterThan(linesPerMode / 20);
    const harmful = (lines: readonly string[]): readonly unknown[] => {
      const harm = place.harmOf(lines);
      if (harm.length === 0 || lines.length === 1) return harm.map((done) => ({ line: lines[0], done }));
      const half = Math.ceil(lines.length / 2);
      const each = [...harmful(lines.slice(0, half)), ...harmful(lines.slice(half))];
      return each.length > 0 ? each : [{ lines, harm }];
    };
    const found = [];
    for (let at = 0; at < allowed.length; at += linesPerRun)
      found.push(...harmful(allowed.slice(at, at + linesPerRun)));
    expect(found, `seed ${random.seed}`).toEqual([]);
  },
  600_000,
);
