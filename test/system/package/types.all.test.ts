import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../../kit/homes/clone.ts';
import { blocksOf } from '../docs/blocks.ts';
import { installPackage, type InstalledPackage } from './installed-package.ts';

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed[Symbol.asyncDispose]());

const good = `
import { definePlugin, defineTool, PegboardError, parseJson, type PluginContext } from 'pegboard';
import { AnsweredElsewhere } from 'pegboard/channels';
import { createHost } from 'pegboard/embed';
import { judgeWrite } from 'pegboard/files';
import { runProcess } from 'pegboard/processes';
import { openTestHost } from 'pegboard/testing';
import Type from 'typebox';

const letters = defineTool({
  name: 'letters',
  description: 'Counts the letters of a text',
  parameters: Type.Object({ text: Type.String() }),
  async execute({ text }, call) {
    if (text === '') throw new PegboardError('PEG_TOOL_FAILED', 'There is nothing to count.');
    const { stdout } = await runProcess({ argv: ['wc', '-c'], cwd: '/', environment: {}, signal: call.signal, maxBytes: 10 });
    return { length: text.length, stdout, value: parseJson('1') };
  },
});

export default definePlugin({
  setup: (context: PluginContext) => {
    context.log.info('ready');
    return { packs: { counting: [letters] } };
  },
});
export async function start(): Promise<string> {
  await using host = await createHost({ home: '/home', trustHome: true });
  await using tested = await openTestHost({ plugins: [] });
  return [host.home, await tested.callText('letters'), AnsweredElsewhere.name, judgeWrite.name].join();
}
`;

const wrong = good.replace('text.length,', 'text.width,').replace("log.info('ready')", 'log.shout()');
const documented = blocksOf(readFileSync(join(repository, 'docs/plugins.md'), 'utf8')).flatMap(
  ({ file, text }) => (/^plugins\/.*\/index\.ts$/.test(file ?? '') ? [{ file: file!, text }] : []),
);

/** TypeScript's output for a project with only the package, without skipping library checks. */
let printed: readonly string[];
beforeAll(async () => {
  const project = join(installed.folder, '../..', 'project');
  const files = [...documented, { file: 'good.ts', text: good }, { file: 'wrong.ts', text: wrong }];
  for (const { file, text } of files) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2024',
        lib: ['es2024', 'esnext.disposable'],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: ['node'],
        typeRoots: [join(repository, 'node_modules/@types')],
      },
      files: files.map(({ file }) => file),
    }),
  );
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const failure = await promisify(execFile)(process.execPath, [tsc, '-p', project], { cwd: project }).catch(
    (cause: { readonly stdout: string }) => cause,
  );
  printed = failure.stdout.split('\n').filter(Boolean);
});

test("somebody else's plugin type-checks against the installed package alone, and so do those of the documentation", () => {
  expect(documented.map(({ file }) => file)).toContain('plugins/dice/index.ts');
  expect(printed.filter((line) => !line.startsWith('wrong.ts'))).toEqual([]);
});

test('and a mistake in one is found', () => {
  expect(printed.join('\n')).toContain("Property 'width' does not exist on type 'string'");
  expect(printed.join('\n')).toContain("Property 'shout' does not exist");
});
