import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

const good = `export const meta = { requires: { binaries: ['no-such-program'] } };
export default { name: 'good', description: 'x', parameters: { type: 'object' }, execute: (): string => 'x' };
`;

test('pegboard lint finds what is no TypeScript, and what a tool misses, without running what is not trusted', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { spaces/s/good: { trusted: true } }\n',
    'spaces/s/agent/tools/broken.ts': "export default {\n  name: 'x',\n  execute() { return 1 +; },\n};\n",
    'spaces/s/agent/tools/enum.ts': 'enum A { B }\nexport default A;\n',
    'spaces/s/agent/tools/good.ts': good,
    'spaces/s/agent/tools/untrusted.ts': `process.exit(7);\n${good}`,
    'plugins/p/plugin.yaml': 'id: p\nversion: "1.0.0"\ndescription: x\n',
    'plugins/p/index.ts': 'export default {',
  });
  type Found = {
    readonly diagnostics: readonly {
      path: string;
      code: string;
      line?: number;
      column?: number;
      message: string;
    }[];
  };
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics.map(({ path, code, line, column }) => `${path}:${line}:${column} ${code}`)).toEqual([
    'plugins/p/index.ts:1:1 syntax-error',
    'spaces/s/agent/tools/broken.ts:3:25 syntax-error',
    'spaces/s/agent/tools/enum.ts:1:1 unsupported-typescript',
    'spaces/s/agent/tools/good.ts:null:null missing-requirement',
  ]);
  const one = await pegboard(['lint', 'spaces/s/agent/tools/good.ts'], { home: home.path, cwd: home.path });
  expect(one.stdout).toContain('the program no-such-program is not installed');
  const broken = await pegboard(['lint', 'spaces/s/agent/tools/broken.ts'], {
    home: home.path,
    cwd: home.path,
  });
  expect(broken).toMatchObject({ code: 1, stderr: expect.not.stringContaining('Warning') as string });
});

test("a file that breaks Node's parser is named, and the others are not called broken", async () => {
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { spaces/s/good: { trusted: true } }\n',
    'spaces/s/agent/tools/deep.ts': '('.repeat(20_000),
    'spaces/s/agent/tools/good.ts': good,
  });
  // What breaks the parser breaks it for the rest of its process.
  const { stdout, code } = await pegboard(['lint'], { home: home.path, apart: true });
  expect(code).toBe(1);
  expect(stdout).toMatch(/error +spaces\/s\/agent\/tools\/deep\.ts +syntax-error/);
  expect(stdout).toContain("Node's TypeScript parser crashes on this file");
  expect(stdout).toMatch(/warning +spaces\/s\/agent\/tools\/good\.ts +not-checked/);
  expect(stdout).not.toContain('memory access');
});

test('pegboard lint names what plugins and skills require and is not there', async () => {
  const requires = 'requires: { binaries: [no-such-program], env: [NO_SUCH_VARIABLE] }';
  await using home = await createHome({
    'pegboard.yaml': 'plugins: { kites: { trusted: true } }\n',
    'plugins/kites/plugin.yaml': `id: kites\nversion: "1.0.0"\ndescription: x\n${requires}\n`,
    'plugins/kites/index.ts': 'export default { setup: () => ({}) };\n',
    'spaces/s/agent/skills/fly/SKILL.md': `---\nname: fly\ndescription: How to fly a kite.\n${requires}\n---\nHold it.\n`,
  });
  const { code, stdout } = await pegboard(['lint'], { home: home.path });
  expect(code).toBe(0);
  expect(stdout).toMatch(/warning {2}plugins\/kites\/plugin\.yaml {2}missing-requirement\n.*no-such-program/);
  expect(stdout).toMatch(
    /warning {2}spaces\/s\/agent\/skills\/fly\/SKILL\.md {2}skill-unavailable\n.*NO_SUCH_VARIABLE/,
  );
  const one = await pegboard(['lint', 'plugins'], { home: home.path, cwd: home.path });
  expect(one.stdout).not.toContain('SKILL.md');
});

test("braces of another program's own are refused with the way to write them, which works", async () => {
  const tool = (command: string): string => `id: stats\nname: x\ndescription: x\ncommand: ${command}\n`;
  await using home = await createHome({
    'spaces/s/agent/tools/stats.yaml': tool("echo --format '{{json .}}'"),
  });
  const refused = await pegboard(['lint'], { home: home.path });
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stdout).toContain('write {{json}}, or \\{{ for literal braces');
  await home.write('spaces/s/agent/tools/stats.yaml', tool("echo --format '\\{{json .}}'"));
  const call = await pegboard(['call', 'stats'], { home: home.path });
  expect(call).toMatchObject({ code: 0, stdout: '--format {{json .}}\n' });
});
