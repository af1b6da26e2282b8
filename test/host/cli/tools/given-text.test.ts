import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageEntry, environment, pegboard } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

test('arguments that never end are refused', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  });
  for (const [command, option] of [
    ['call', '--args'],
    ['chat', '--request'],
  ] as const) {
    const { code, stderr } = await pegboard(
      [command, ...(command === 'call' ? ['greet'] : []), option, '@/dev/zero'],
      { home: home.path },
    );
    expect([command, code]).toEqual([command, 2]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `${option} @/dev/zero: the file can't be read (it has more than 67,108,864 bytes, which is the limit)`,
    );
  }
});

test('a file, a pipe and stdin are read to their end', async () => {
  await using home = await createHome({
    'spaces/work/agent/tools/greet.md': manifest(
      'greet',
      'parameters: [{ name: name, type: string }]\ncommand: printf %s {{name}}',
    ),
    'args.json': '{"name": "Ada"}',
  });
  for (const given of ['-', `@${home.path}/args.json`]) {
    const options = { home: home.path, input: '{"name": "Ada"}' };
    const answer = await pegboard(['call', 'greet', '--args', given], options);
    expect(answer).toMatchObject({ code: 0, stdout: 'Ada\n' });
  }
  const program = [
    process.execPath,
    packageEntry(),
    '--home',
    home.path,
    'call',
    'greet',
    '--args',
    '@/dev/stdin',
  ];
  const piped = await promisify(execFile)('sh', ['-c', `echo '{"name": "Ada"}' | "$@"`, 'sh', ...program], {
    env: environment(),
  });
  expect(piped.stdout).toBe('Ada\n');
});
