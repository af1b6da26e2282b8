import { describe, expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

describe('pegboard lint', () => {
  const files = {
    'spaces/work/agent/tools/good.md': manifest('good', 'command: date'),
    'spaces/work/agent/tools/typo.md': manifest('typo', 'command: date\ntimout: 5'),
  };

  test('names file, line, column and the key that was meant, and exits with 1', async () => {
    await using home = await createHome(files);
    const { code, stdout, stderr } = await pegboard(['lint'], { home: home.path });
    expect(code).toBe(1);
    expect(stdout).toContain('error  spaces/work/agent/tools/typo.md:6:1  unknown-key');
    expect(stdout).toContain('→ timout → timeout?');
    expect(stderr).toBe('1 error\n');
  });

  test('--json has one shape for every finding', async () => {
    await using home = await createHome(files);
    expect(await pegboardJson(['lint'], { home: home.path })).toEqual({
      diagnostics: [
        {
          severity: 'error',
          code: 'unknown-key',
          message: expect.any(String) as string,
          path: 'spaces/work/agent/tools/typo.md',
          line: 6,
          column: 1,
          hint: 'timout → timeout?',
        },
      ],
    });
  });

  test('looks only at the paths that are named, and is content with what is right', async () => {
    await using home = await createHome(files);
    const options = { home: home.path, cwd: home.path };
    expect(await pegboard(['lint', 'spaces/work/agent/tools/good.md'], options)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No problems found.\n',
    });
    expect(await pegboard(['lint', 'nowhere'], options)).toMatchObject({ code: 1 });
  });

  test('a config that no host would run on is a finding like others', async () => {
    await using home = await createHome({ 'pegboard.yaml': 'confrim: never\n' });
    const { code, stdout } = await pegboard(['lint'], { home: home.path });
    expect(code).toBe(1);
    expect(stdout).toContain('error  pegboard.yaml:1:1');
    expect(stdout).toContain('confrim → confirm?');
  });
});

describe('pegboard new', () => {
  test('writes a tool and a space that work, that lint is content with, and whose examples pass', async () => {
    await using home = await createHome();
    const options = { home: home.path };
    expect(await pegboard(['new', 'tool', 'deploy'], options)).toMatchObject({ code: 0 });
    expect(await pegboard(['new', 'space', 'work'], options)).toMatchObject({ code: 0 });
    expect(await pegboard(['new', 'tool', 'build', '--space', 'work'], options)).toMatchObject({ code: 0 });
    expect(await pegboard(['lint'], options)).toMatchObject({ code: 0 });
    expect(await pegboard(['call', 'deploy', 'who=Ada'], options)).toMatchObject({ code: 0 });
    const { examples } = await pegboardJson<{ examples: { tool: string; ok: boolean }[] }>(
      ['test-tools'],
      options,
    );
    expect(examples.map(({ tool, ok }) => `${tool} ${ok}`)).toEqual([
      'personal.deploy true',
      'work.build true',
      'work.hello true',
    ]);
  });

  test('never overwrites, and says which name would do', async () => {
    await using home = await createHome();
    await pegboard(['new', 'tool', 'deploy'], { home: home.path });
    const again = await pegboard(['new', 'tool', 'deploy'], { home: home.path });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('is there already');
    const odd = await pegboard(['new', 'space', 'My Space'], { home: home.path });
    expect(odd.code).toBe(2);
    expect(odd.stderr).toContain('Try "my-space".');
  });
});

describe('pegboard test-tools', () => {
  test('says what was expected and what came, and exits with 1', async () => {
    await using home = await createHome({ 'spaces/work/agent/tools/echo.md': examples('b') });
    const { code, stdout, stderr } = await pegboard(['test-tools'], { home: home.path });
    expect(code).toBe(1);
    expect(stdout).toContain('✗ work.echo example 1');
    expect(stdout).toContain('expected "b", got "a"');
    expect(stderr).toBe('0 passed, 1 failed\n');
  });

  test('runs only the tools that are named', async () => {
    await using home = await createHome({ 'spaces/work/agent/tools/echo.md': examples('a') });
    expect(await pegboard(['test-tools', 'echo'], { home: home.path })).toMatchObject({ code: 0 });
    expect(await pegboard(['test-tools', 'ehco'], { home: home.path })).toMatchObject({ code: 4 });
  });
});

/** A tool with an example that expects this output, and prints "a". */
function examples(output: string): string {
  return manifest(
    'echo',
    `parameters:\n  - { name: text, type: string }\ncommand: echo {{text}}\nexamples:\n  - { input: { text: a }, output: ${output} }`,
  );
}
