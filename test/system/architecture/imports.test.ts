import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** The layers of host/, from the top down. A file imports its own layer's folder and lower layers, nothing else. */
const layers: readonly (readonly string[])[] = [
  ['main.ts', 'index.ts', 'exports'],
  ['cli', 'testing'],
  [
    'host.ts',
    'create-host.ts',
    'reload.ts',
    'config.ts',
    'home.ts',
    'home-environment.ts',
    'home-trust.ts',
    'workplace.ts',
    'models-of-user.ts',
    'version.ts',
    'write-config.ts',
    'approvals',
    'doctor',
    'secrets',
    'servers',
    'status',
    'compose',
  ],
  ['agent', 'meta', 'plugins', 'spaces'],
  ['sources/manifests', 'sources/mcp', 'sources/bridge'],
  ['dispatch'],
  ['tools'],
  ['store', 'engine'],
  ['core'],
  ['formats'],
  ['api'],
];
/** Exceptions that import upwards or sideways, each with its reason. */
const exceptions = new Map([
  [
    'host/store/owner/approvals.ts → host/dispatch/confirm.ts',
    'implements the interface that dispatch declares',
  ],
]);

const files = globSync('host/**/*.ts', { cwd: root });
const allFiles = globSync('host/**/*.{ts,tsx,css,html}', { cwd: root });
const partOf = (file: string): string =>
  layers.flat().find((part) => file === `host/${part}` || file.startsWith(`host/${part}/`)) ?? file;
const levelOf = (part: string): number => layers.findIndex((layer) => layer.includes(part));

const importsOf = (file: string): string[] => importsIn(readFileSync(join(root, file), 'utf8'), file);

function importsIn(text: string, file: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1]!)),
  );
}

test('every file of the host is in a layer', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => levelOf(partOf(file)) < 0)).toEqual([]);
});

test('imports go down only, and neighbours in a layer do not import each other', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => {
        const [from, to] = [partOf(file), partOf(target)];
        if (from === to || exceptions.has(`${file} → ${target}`)) return false;
        const together = levelOf(from) === levelOf(to) && levelOf(from) <= levelOf('create-host.ts');
        return !together && levelOf(to) <= levelOf(from);
      })
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('only types of the formats are imported: the host reads schemas/, and never loads TypeBox', () => {
  const loading = files
    .filter((file) => partOf(file) !== 'formats')
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/^(?:import|export) type [^;]*;/gm, '');
      return importsIn(text, file).some((target) => partOf(target) === 'formats');
    });
  expect(loading).toEqual([]);
});

test('every exception is still needed', () => {
  for (const exception of exceptions.keys()) {
    const [from, to] = exception.split(' → ') as [string, string];
    expect(importsOf(from)).toContain(to);
  }
});

test('plugins import the public API, their own files and packages, and no file of the host', () => {
  const wrong = globSync('plugins/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    importsOf(file).some((target) => !target.startsWith(file.split('/').slice(0, 2).join('/'))),
  );
  expect(wrong).toEqual([]);
});

test('no file of the host names a plugin that ships with it', () => {
  const naming = allFiles.filter((file) =>
    /\bbuiltin-[a-z]|(?:from|import)\s*\(?\s*'[^']*plugins\/builtin/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(naming).toEqual([]);
});

test('what differs between systems is decided in host/core/platform', () => {
  const asking = globSync('{host,plugins,spaces}/**/*.ts', { cwd: root }).filter(
    (file) =>
      !file.startsWith('host/core/platform/') &&
      /process\.platform|from 'node:os'.*\bplatform\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(asking).toEqual([]);
});

test('what decides whether a new version is well is made of its own files and Node alone', () => {
  const folder = join(root, 'plugins/builtin-self');
  const seen = new Set(['supervise.ts']);
  const others: string[] = [];
  for (const file of seen) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type\b).*?from '([^']+)'/gms)) {
      if (target.startsWith('./')) seen.add(target.slice(2));
      else if (!target.startsWith('node:')) others.push(`${file} → ${target}`);
    }
  }
  expect(seen.size).toBeGreaterThan(3);
  expect(others).toEqual([]);
});

test('only dependencies are loaded at run time; of those for development, only types', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const packageOf = (specifier: string): string =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
  const code = globSync(['host/**/*.ts', 'plugins/**/*.ts', 'bin/*.cjs'], {
    cwd: root,
    exclude: ['**/*.d.ts'],
  });
  const missing = code.flatMap((file) =>
    [...loadedIn(parse(file), file.endsWith('.cjs'))]
      .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
      .map(packageOf)
      .filter((name) => name !== 'pegboard' && !Object.hasOwn(dependencies, name))
      .map((name) => `${file} → ${name}`),
  );
  expect(code.length).toBeGreaterThan(400);
  expect(missing).toEqual([]);
});

const parse = (file: string): Syntax =>
  parseAst(readFileSync(join(root, file), 'utf8'), {
    lang: file.endsWith('.cjs') ? 'js' : 'ts',
    sourceType: 'unambiguous',
  }) as unknown as Syntax;

interface Syntax {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The names in quotes that a file imports, requires or resolves, without those of which it needs only types. */
function* loadedIn(node: Syntax, isCommonJs: boolean): Generator<string> {
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return;
  const { name, object } = (node['callee'] ?? {}) as { readonly name?: string; readonly object?: Syntax };
  const resolves = (isCommonJs && name === 'require') || object?.type === 'MetaProperty';
  const [argument] = resolves ? (node['arguments'] as Syntax[]) : [];
  const source = (node['source'] ?? argument) as Syntax | undefined;
  const loads = argument !== undefined || /^(?:Import|Export)/.test(node.type);
  if (loads && typeof source?.['value'] === 'string') yield source['value'];
  for (const part of Object.values(node).flat())
    if (typeof part === 'object' && part !== null && 'type' in part)
      yield* loadedIn(part as Syntax, isCommonJs);
}
