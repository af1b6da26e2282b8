import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from '../core/errors.ts';
import { writeMissing } from '../core/files/new-file.ts';

/** Writes a working plugin with a test and returns its folder. Throws PEG_USAGE for an invalid or taken name. */
export async function newPlugin(home: string, name: string): Promise<string> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    throw new PegboardError(
      'PEG_USAGE',
      `"${name}" can't be the name of a plugin: use lower-case letters, digits and single dashes, as in "my-plugin".`,
    );
  }
  const folder = join(home, 'plugins', name);
  if (existsSync(folder)) throw new PegboardError('PEG_USAGE', `${folder} is there already.`);
  await writeMissing(
    Object.entries(filesOf(name)).map(([file, text]) => ({ path: join(folder, file), text })),
  );
  return folder;
}

const filesOf = (name: string): { readonly [file: string]: string } => ({
  'plugin.yaml': `id: ${name}
version: "0.1.0"
description: What ${name} brings, in a sentence
packs:
  ${name}:
    description: What its tools are for, in a sentence
config:
  type: object
  additionalProperties: false
  properties:
    greeting:
      description: How to begin.
      type: string
      default: Hello
`,
  'index.ts': `import { definePlugin } from 'pegboard';
import { greet } from './greet.ts';

export interface Config {
  readonly greeting: string;
}

export default definePlugin<Config>({
  setup: ({ config }) => ({ packs: { '${name}': [greet(config)] } }),
});
`,
  'greet.ts': `import { defineTool } from 'pegboard';
import Type from 'typebox';
import type { Config } from './index.ts';

export const greet = ({ greeting }: Config) =>
  defineTool({
    name: 'greet',
    description: 'Greets somebody by name',
    parameters: Type.Object({ name: Type.String({ description: 'Whom to greet' }) }),
    execute: ({ name }) => \`\${greeting}, \${name}!\`,
  });
`,
  [`${name}.test.ts`]: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestHost } from 'pegboard/testing';

test('greets by name', async () => {
  await using host = await openTestHost({ plugins: [import.meta.dirname] });
  assert.equal(await host.callText('${name}.greet', { name: 'Ada' }), 'Hello, Ada!');
});
`,
});
