import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { hashCode } from '../../../host/plugins/loading/folder-hash.ts';
import { handlerCodeOf, shippedCode } from '../../../host/plugins/loading/space-code.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { textOf } from '../../../host/tools/result.ts';
import { repository } from '../../kit/homes/clone.ts';
import { pegboard } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const says = (word: string): string =>
  `import { writeFileSync } from 'node:fs';\nimport { loud } from '../../lib/loud.ts';\nwriteFileSync(process.env.PROOF ?? '/dev/null', 'ran');\nexport const run = () => loud('${word}');\n`;
const files = {
  'spaces/cloned/agent/tools/greet.md': manifest('greet', 'handler: ./greet.ts#run'),
  'spaces/cloned/agent/tools/greet.ts': says('hello'),
  'spaces/cloned/lib/loud.ts': 'export const loud = (word: string): string => `${word}!`;\n',
};
const greet = 'spaces/cloned/agent/tools/greet.ts';

test("the code behind a handler doesn't run before its space is trusted, and only as it was trusted when any of it has changed", async () => {
  await using home = await createHome(files);
  const proof = join(home.path, 'proof');
  const run = (...args: string[]) => pegboard(args, { home: home.path, env: { PROOF: proof } });
  const refused = await run('call', 'greet', '--yes');
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toContain('pegboard approvals allow spaces/cloned');
  expect((await run('approvals', 'list')).stdout).toContain('pegboard approvals allow spaces/cloned');
  expect(existsSync(proof)).toBe(false);

  expect(await run('approvals', 'allow', 'spaces/cloned', '--yes')).toMatchObject({ code: 0 });
  expect(await run('call', 'greet')).toMatchObject({ code: 0, stdout: 'hello!\n' });
  await home.write('spaces/cloned/lib/loud.ts', 'export const loud = (): string => "owned";\n');
  const changed = await run('call', 'greet');
  expect(changed).toMatchObject({ code: 0, stdout: 'hello!\n' });
  expect(changed.stderr).toContain('pegboard approvals allow spaces/cloned');
});

test('a running host keeps the trusted version of an edited handler, and uses the new one once it is trusted', async () => {
  await using home = await createHome(files);
  await pegboard(['approvals', 'allow', 'spaces/cloned', '--yes'], { home: home.path });
  await using host = await createHost({ home: home.path, mcp: 'off' });
  const say = async (): Promise<string> =>
    textOf(await host.dispatch({ name: 'greet', args: {}, scope: hostScope, caller: 'test' }));
  expect(await say()).toBe('hello!');
  await home.write(greet, says('good morning'));
  expect(await say()).toBe('hello!');
  await pegboard(['approvals', 'allow', 'spaces/cloned', '--yes'], { home: home.path });
  expect(await say()).toBe('good morning!');
  await pegboard(['approvals', 'revoke', 'spaces/cloned'], { home: home.path });
  expect(await say()).toContain('is not trusted yet');
});

test.each([
  ['trusted: true', { plugins: { 'spaces/cloned': { trusted: true } } }, false],
  ['development', {}, true],
] as const)('with %s every edit of a handler runs at once', async (_how, settings, development) => {
  await using home = await createHome({ ...files, 'pegboard.yaml': JSON.stringify(settings) });
  await using host = await createHost({ home: home.path, mcp: 'off', development });
  const say = async (): Promise<string> =>
    textOf(await host.dispatch({ name: 'greet', args: {}, scope: hostScope, caller: 'test' }));
  expect(await say()).toBe('hello!');
  await home.write(greet, says('good morning'));
  expect(await say()).toBe('good morning!');
});

test('the code of the spaces that come with Pegboard is what is known of it', () => {
  for (const [id, hash] of Object.entries(shippedCode))
    expect([id, hashCode(handlerCodeOf(join(repository, id)))]).toEqual([id, hash]);
});
