import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../../kit/homes/clone.ts';
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

/** Checks one file in a project that has only the package, with nothing skipped. Returns what TypeScript prints. */
async function check(name: string, text: string): Promise<string> {
  const project = join(installed.folder, '../..', name);
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'index.ts'), text);
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
      files: ['index.ts'],
    }),
  );
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  try {
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    return (await promisify(execFile)(process.execPath, [tsc, '-p', project])).stdout;
  } catch (cause) {
    return (cause as { readonly stdout: string }).stdout;
  }
}

test("somebody else's plugin type-checks against the installed package alone", async () => {
  expect(await check('good', good)).toBe('');
});

test('and a mistake in it is found', async () => {
  const wrong = good.replace('text.length,', 'text.width,').replace("log.info('ready')", 'log.shout()');
  const printed = await check('wrong', wrong);
  expect(printed).toContain("Property 'width' does not exist on type 'string'");
  expect(printed).toContain("Property 'shout' does not exist");
});
