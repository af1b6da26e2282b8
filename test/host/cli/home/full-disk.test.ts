import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageEntry, environment, pegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { findReader, makeReadOnly } from '../../../kit/homes/read-only.ts';

const inNamespace = ['--user', '--map-root-user', '--mount'];
/** Without permission to create namespaces, a small disk can't be mounted. */
const isPossible = spawnSync('unshare', [...inNamespace, 'true']).status === 0;

const making: readonly (readonly string[])[] = [
  ['new', 'tool', 't1'],
  ['new', 'skill', 's1'],
  ['new', 'plugin', 'p1'],
  ['new', 'space', 'sp'],
  ['new', 'agent', 'a1'],
  ['agents', 'default', 'personal'],
  ['import', 'curl', 'curl https://a.example/c?d=e', '--name', 's', '--yes'],
  ['init', 'other'],
];

/** Runs each command on a full disk and again when there is space. Prints what the disk held in between. */
const script = `
mount -t tmpfs -o size=1m none "$1" && cd "$1" && shift
"$@" init home >/dev/null && export PEGBOARD_HOME="$PWD/home"
dd if=/dev/zero of=fill bs=1k 2>/dev/null
run() { ${making.map((words) => `"$@" ${words.map((word) => `'${word}'`).join(' ')} 2>&1; echo "exit $?"`).join('\n')}
}
find . -path ./home/data -prune -o -print | sort >&2
run "$@"
echo ---; echo --- >&2
find . -path ./home/data -prune -o -print | sort >&2
rm fill
run "$@"
`;

const places: string[] = [];
const temporary = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'pegboard-disk-'));
  places.push(path);
  return path;
};
let stdout = '';
let stderr = '';
beforeAll(() => {
  if (!isPossible) return;
  const args = [...inNamespace, 'sh', '-c', script, 'sh', temporary(), process.execPath, packageEntry()];
  const env = environment({ XDG_STATE_HOME: temporary() });
  ({ stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', env }));
});
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

test.skipIf(!isPossible)('on a full disk a command that makes files says so, and leaves nothing', () => {
  const [full = '', roomy = ''] = stdout.split('---\n');
  expect(full.match(/There is no space left on the disk of \S+: make room and try again\./g)).toHaveLength(
    making.length,
  );
  expect(full).not.toMatch(/ENOSPC|bug in Pegboard|\/proc\//);
  expect(full).not.toContain('exit 0');
  const [before, after] = stderr.split('---\n').map((text) => text.replace('./other\n', ''));
  expect(after).toBe(before);
  expect(roomy.match(/exit 0/g), roomy).toHaveLength(making.length);
});

test.skipIf(findReader().impossible)(
  'a failed import names the file that it would have written',
  async () => {
    await using home = await createHome({ 'spaces/s/agent/tools/a.md': '' });
    using _ = makeReadOnly(home.path);
    const args = ['import', 'curl', 'curl https://a.example/c', '--name', 'c', '--space', 's', '--yes'];
    const env = { PEGBOARD_TRUST_HOME: home.path };
    const { code, stderr: said } = await pegboard(args, { home: home.path, env, reader: findReader() });
    expect(code).toBe(1);
    expect(said).toContain(`Access to ${home.path}/spaces/s/agent/tools/c.md was denied`);
  },
);
