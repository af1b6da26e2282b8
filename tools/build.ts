/**
 * `node tools/build.ts [FOLDER]`: makes the package that is published, in dist/ or in a new or empty folder: one bundle,
 * split where commands load lazily, beside its plugins' own.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { load } from 'js-yaml';
import { rolldown } from 'rolldown';
import type { WrittenPlugin } from '../host/formats/plugin.ts';
import { readManifest } from '../host/plugins/loading/discover.ts';
import { checkedManifestsFile } from '../host/plugins/loading/shipped.ts';
import { writeDeclarations } from './declarations.ts';
import { copyBundledPackages } from './bundled-packages.ts';
import { leanBundle } from './lean-bundle.ts';
import { allEntries, publicEntries } from './public-entries.ts';

const root = join(import.meta.dirname, '..');
const dist = process.argv[2] === undefined ? join(root, 'dist') : resolve(process.argv[2]);
/** Installed by npm: a program for each platform, and what plugins of other people import, whose authors' editors look for it. */
const installed = ['@vscode/ripgrep', 'typebox'];
/** Packed with the bundle, as they are: what reads files of its own, needs its classes' names or isn't strict JavaScript. */
const whole = ['jsdom', 'oidc-provider', 'quickjs-wasi', 'sixel', 'unpdf', 'undici'];
/** In the bundle for the host's own use, and packed beside it for plugins that use it without bringing it. */
const lent = ['kysely'];

const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const manifest = read('package.json') as Record<string, never> & {
  readonly dependencies: Record<string, string>;
};
const runtime = read('tools/runtime/package.json') as {
  readonly name: string;
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};
const entries = publicEntries(root);
const plugins = readdirSync(join(root, 'plugins')).filter((name) => name.startsWith('builtin-'));

if (process.argv[2] === undefined) rmSync(dist, { recursive: true, force: true });
else if (existsSync(dist) && readdirSync(dist).length > 0) {
  console.error(`${dist} is not empty: name a new folder.`);
  process.exit(1);
}
await using bundle = await rolldown({
  cwd: root,
  platform: 'node',
  external: ['@vscode/ripgrep', ...whole],
  plugins: [leanBundle],
  // A plugin that takes a name of an entry loads the file with this name, not those of all names.
  treeshake: { moduleSideEffects: (id) => !id.startsWith(join(root, 'host/exports/')) },
  resolve: {
    alias: {
      ...allEntries(root),
      // Its CommonJS form asks for its files in a way that no bundler can follow.
      'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
    },
  },
  input: {
    'host/main': 'host/main.ts',
    'host/cli/terminal/pictures/picture-thread': 'host/cli/terminal/pictures/picture-thread.ts',
    'host/core/pdf/pdf-worker': 'host/core/pdf/pdf-worker.ts',
    'plugins/builtin-scripts/sandbox/script-thread': 'plugins/builtin-scripts/sandbox/script-thread.ts',
    'host/store/database/damage-worker': 'host/store/database/damage-worker.ts',
    'plugins/builtin-core/filesystem/large/file-worker':
      'plugins/builtin-core/filesystem/large/file-worker.ts',
    'plugins/builtin-self/supervise': 'plugins/builtin-self/supervise.ts',
    'plugins/builtin-web/extract-worker': 'plugins/builtin-web/extract-worker.ts',
    'plugins/builtin-database/sqlite-child': 'plugins/builtin-database/sqlite-child.ts',
    ...Object.fromEntries(
      Object.values(entries).map((path) => [relative(root, path).replace(/\.ts$/, ''), path]),
    ),
    ...Object.fromEntries(
      plugins
        .map((name) => `plugins/${name}/index`)
        .filter((module) => existsSync(join(root, `${module}.ts`)))
        .map((module) => [module, `${module}.ts`]),
    ),
    ...Object.fromEntries(handlers().map((path) => [path.replace(/\.ts$/, ''), path])),
  },
});
await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'host/chunks/[name]-[hash].js',
  // What every command loads, and what every host loads: without groups each would be dozens of files.
  codeSplitting: {
    groups: [
      { name: 'command', test: /[/]host[/]cli[/]run[.]ts$/, priority: 2 },
      { name: 'host', test: /[/]host[/](create-host|index)[.]ts$/, priority: 1 },
    ],
  },
  minify: { mangle: false, compress: true, codegen: true },
});

writeDeclarations(root, Object.values(entries), dist);
makePage();
copyBundledPackages(root, [...whole, ...lent], dist);

mkdirSync(join(dist, 'bin'), { recursive: true });
const entry = readFileSync(join(root, 'bin/pegboard.cjs'), 'utf8').replace(
  '../host/main.ts',
  '../host/main.js',
);
writeFileSync(join(dist, 'bin/pegboard.cjs'), entry, { mode: 0o755 });
writeFileSync(join(dist, 'bin/node-packages.json'), `${JSON.stringify(nodePackages(), null, 2)}\n`);
for (const name of ['own-node.cjs', 'get-node.cjs', 'node-on-path.cjs', 'hide-environment.cjs'])
  cpSync(join(root, 'bin', name), join(dist, 'bin', name));
for (const name of plugins)
  cpSync(join(root, 'plugins', name, 'plugin.yaml'), join(dist, 'plugins', name, 'plugin.yaml'));
// Every command would read and check them again, in about a tenth of the time that it takes.
writeFileSync(join(dist, 'plugins', checkedManifestsFile), JSON.stringify(await checkedManifests()));
for (const name of ['schemas', 'docs', 'CHANGELOG.md', 'LICENSE'])
  cpSync(join(root, name), join(dist, name), { recursive: true });
cpSync(join(root, 'tools/package.md'), join(dist, 'README.md'));
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);

/** The modules of commands that plugins name, relative to the clone. */
function handlers(): readonly string[] {
  return plugins.flatMap((name) => {
    const { commands = {} } = load(
      readFileSync(join(root, 'plugins', name, 'plugin.yaml'), 'utf8'),
    ) as WrittenPlugin;
    return Object.values(commands).flatMap(({ handler }) =>
      handler === undefined ? [] : [join('plugins', name, handler)],
    );
  });
}

/** The page in the browser, as browsers load it: the package needs no bundler. */
function makePage(): void {
  const program = join(root, 'plugins/builtin-page/assets/make-page.ts');
  const { status } = spawnSync(process.execPath, [program, join(dist, 'page')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The page could not be made.');
}

/** What each plugin.yaml says, by folder. Throws for one with a mistake. */
async function checkedManifests(): Promise<object> {
  const read = plugins.map(async (name) => {
    const { manifest, diagnostics } = await readManifest(join(root, 'plugins', name), [root]);
    if (manifest === undefined || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    const { folder: _folder, path: _path, builtin: _builtin, boundary: _boundary, ...written } = manifest;
    return [name, written] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** Versions and hashes of the packages with Node, for bin/get-node.cjs. */
function nodePackages(): object {
  const { packages } = read('package-lock.json') as {
    readonly packages: { readonly [path: string]: { readonly version: string; readonly integrity: string } };
  };
  return Object.fromEntries(
    Object.keys(runtime.optionalDependencies).map((name) => {
      const { version, integrity } = packages[`node_modules/${name}`]!;
      return [name, { version, integrity }];
    }),
  );
}

function publishedManifest(): object {
  const { name, version, description, keywords, homepage, repository, bugs, license, type, bin } = manifest;
  const dependencies = Object.fromEntries(
    [...installed, ...whole, ...lent].map((used) => [used, manifest.dependencies[used]]),
  );
  const built = Object.entries(entries).map(([entry, path]) => {
    const file = `./${relative(root, path).replace(/\.ts$/, '')}`;
    return [entry.replace(/^pegboard/, '.'), { types: `${file}.d.ts`, default: `${file}.js` }] as const;
  });
  return {
    name,
    version,
    description,
    keywords,
    homepage,
    repository,
    bugs,
    license,
    type,
    bin,
    exports: { ...Object.fromEntries(built.toReversed()), './package.json': './package.json' },
    // An older one starts the Node that npm or bin/get-node.cjs installs.
    engines: { node: '>=20' },
    dependencies,
    bundleDependencies: [...whole, ...lent],
    optionalDependencies: { [runtime.name]: runtime.version },
  };
}
