import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClone, repository } from '../../kit/homes/clone.ts';
import { blocksOf } from './blocks.ts';
import { runShell } from './shell.ts';

const document = 'docs/tool-manifests.md';

/** Parameters as declared in the document above its examples. */
const parameters = [
  { name: 'text', type: 'string' },
  { name: 'count', type: 'integer' },
  { name: 'files', type: 'array' },
  { name: 'loud', type: 'boolean' },
  { name: 'level', type: 'string', enum: ['low', 'high'] },
];

interface Example {
  readonly template: string;
  /** Why the linter refuses it; undefined when it is accepted. */
  readonly code: string | undefined;
}

function examples(): Example[] {
  return blocksOf(readFileSync(join(repository, document), 'utf8'))
    .filter(({ language }) => language === 'templates')
    .flatMap(({ text, words }) =>
      text
        .trim()
        .split('\n')
        .map((line) => {
          const [, template = line, code] = /^(.*?)\s+← (\S+)$/.exec(line) ?? [];
          expect(code !== undefined, `${words.join()}: ${line}`).toBe(words.includes('refused'));
          return { template, code };
        }),
    );
}

test('the linter accepts and refuses the command templates as docs/tool-manifests.md says', async () => {
  const shown = examples();
  expect(shown.length).toBeGreaterThan(25);
  await using clone = await openClone();
  const folder = 'spaces/templates/agent/tools';
  await mkdir(join(clone.folder, folder), { recursive: true });
  for (const [at, { template }] of shown.entries()) {
    const manifest = {
      id: `t${at}`,
      name: `t${at}`,
      description: 'An example',
      parameters,
      command: template,
    };
    await writeFile(join(clone.folder, folder, `t${at}.yaml`), JSON.stringify(manifest));
  }
  const { output } = await runShell(`pegboard lint --json ${folder} || true`, clone);
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { path: string; code: string; severity: string }[];
  };
  const found = shown.map(({ template }, at) => ({
    template,
    code: diagnostics.find(({ path, severity }) => severity === 'error' && path.endsWith(`/t${at}.yaml`))
      ?.code,
  }));
  expect(found).toEqual(shown);
});
