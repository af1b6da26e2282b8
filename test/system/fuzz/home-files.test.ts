import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import type { Diagnostic } from '../../../host/api/diagnostic.ts';
import { loadConfig } from '../../../host/config.ts';
import { discoverPlugins } from '../../../host/plugins/loading/discover.ts';
import { createManifestDirectory } from '../../../host/sources/manifests/files/directory.ts';
import { homeFiles, type FileKind } from '../../../host/sources/manifests/files/home-files.ts';
import { lintFile } from '../../../host/sources/manifests/check/lint-file.ts';
import { createSpaceManifest } from '../../../host/sources/manifests/files/space-manifest.ts';
import { createSpaceReader } from '../../../host/spaces/read-space.ts';
import { createRandom, effort, type Random } from '../../kit/data/fuzz.ts';
import { expectLinear } from '../../kit/growth.ts';
import { damaged } from '../../kit/homes/hostile-files.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { manifestContext } from '../../kit/homes/manifest-context.ts';

/** Real files of every kind, from this clone. */
const originals = homeFiles(join(import.meta.dirname, '../../..'))
  // Only some code, of which there is more than of everything else.
  .filter(({ kind, path }) => kind !== 'code' || path.includes('/memory/'))
  .map(({ kind, path }) => ({ kind, path, text: readFileSync(path, 'utf8') }));
const servers = '{"mcpServers": {"a": {"command": "npx", "args": ["x"], "env": {"A": "${A:-b}"}}}}\n';

const variables = '# keys\nA=1\nexport B="two # words"\nC=\'{\n  "d": 1\n}\'\n';

/** The path for a damaged file of each kind. */
const places: { readonly [kind in FileKind]: (name: string, original: string) => string } = {
  config: () => 'pegboard.yaml',
  mcp: () => '.mcp.json',
  environment: () => '.env',
  space: () => 'spaces/s/space.manifest.json',
  agent: () => 'spaces/s/agent/agent.yaml',
  plugin: () => 'plugins/p/plugin.yaml',
  tool: (name, original) => `spaces/s/agent/tools/${name}${original.endsWith('.md') ? '.md' : '.yaml'}`,
  skill: (name) => `spaces/s/agent/skills/${name}.md`,
  identity: () => 'spaces/s/agent/SOUL.md',
  code: (name) => `spaces/s/agent/tools/lib/${name}.ts`,
};

const pickOriginal = (random: Random): (typeof originals)[number] =>
  random.pick([
    ...originals,
    { kind: 'mcp', path: '', text: servers },
    { kind: 'environment', path: '', text: variables },
  ]);

function lint(home: TestHome, kind: FileKind, written: string): ReturnType<typeof lintFile> {
  const root = kind === 'tool' ? join(home.path, 'spaces/s') : home.path;
  return lintFile({ path: join(home.path, written), kind, root, boundary: [home.path], module: 's' });
}

const filesTogether = 40;

test('whatever the files of a home contain, each is read or reports where it is wrong', async () => {
  const random = createRandom(20_261_122);
  const before = Object.getOwnPropertyNames(Object.prototype);
  for (let round = 0; round < 40 * effort; round++) {
    await using home = await createHome({ 'spaces/s/agent/tools/good.md': manifest('good', 'command: ls') });
    for (let file = 0; file < filesTogether; file++) {
      const { kind, path, text } = pickOriginal(random);
      const bytes = damaged(text, random);
      const written = places[kind](`f${file}`, path);
      await home.write(written, bytes);
      const told = `FUZZ_SEED=${random.seed}, round ${round}, ${kind}: ${JSON.stringify(bytes.toString('latin1').slice(0, 3_000))}`;
      const found = await lint(home, kind, written);
      if (kind === 'tool' && found.tools.length === 0)
        expect(found.diagnostics.some(isError), told).toBe(true);
      for (const diagnostic of found.diagnostics) expectInside(diagnostic, bytes, told);
    }
    await openAll(home);
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect(({} as { a?: unknown }).a).toBeUndefined();
});

test('whatever is repeated in a file, reading it takes time by its length', async () => {
  const random = createRandom(20_261_126);
  await using home = await createHome();
  for (let count = 0; count < 30 * effort; count++) {
    const { kind, path, text } = pickOriginal(random);
    const bytes = damaged(text.slice(0, 2_000), random);
    const written = places[kind]('f', path);
    const read = async (length: number): Promise<void> => {
      await home.write(written, Buffer.alloc(length, bytes));
      await lint(home, kind, written);
    };
    const told = `FUZZ_SEED=${random.seed}, ${count}, ${kind}: ${JSON.stringify(bytes.toString('latin1').slice(0, 3_000))}`;
    await expectLinear(read, 30_000, told);
  }
});

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** Whether it has a position that an editor can go to. */
function expectInside({ line, column, path, message }: Diagnostic, bytes: Buffer, told: string): void {
  expect([typeof path, message.length <= 400], `${told}\n${message.slice(0, 3_000)}`).toEqual([
    'string',
    true,
  ]);
  if (line === undefined) return;
  const lines = bytes.toString('utf8').split('\n');
  const where = `${told}\n${line}:${column} ${message}`;
  expect(line, where).toBeGreaterThanOrEqual(1);
  expect(line, where).toBeLessThanOrEqual(lines.length);
  expect(column, where).toBeGreaterThanOrEqual(1);
  expect(column, where).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
}

/** Reads files like a starting host: nothing throws, and the valid tool next to the broken ones is available. */
async function openAll(home: TestHome): Promise<void> {
  const root = join(home.path, 'spaces/s');
  const context = manifestContext();
  const common = { root, module: 's', description: 'Tools of the test', context };
  await loadConfig(home.path, { ...processSurroundings(), resolve: () => undefined });
  await createSpaceReader({ home: home.path, folder: root, userHome: '/home/ada' }, () => undefined).read();
  await createSpaceManifest(common).list();
  await discoverPlugins(home.path, {});
  const folder = join(root, 'agent/tools');
  const listing = await createManifestDirectory({ ...common, folder, kind: 'manifest' }).list();
  const origins = listing.tools.map(({ origin }) => origin);
  expect(origins).toContain(join(folder, 'good.md'));
  expect((listing.diagnostics ?? []).filter(({ path }) => path?.endsWith('good.md'))).toEqual([]);
}
