import { describe, expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';

interface Found {
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly code: string;
    readonly path?: string;
    readonly line?: number;
    readonly column?: number;
    readonly hint?: string;
  }[];
}

const agent = 'spaces/work/agent/agent.yaml';

/** "3:4 unknown-tool bsh → bash?" of what lint finds in the agent's file. */
async function lint(blockedTools: string, config = ''): Promise<readonly string[]> {
  await using home = await createHome({
    'pegboard.yaml': config,
    [agent]: `id: work\nblockedTools:\n${blockedTools}`,
    'spaces/work/agent/tools/deploy.md': manifest('deploy', 'command: date'),
  });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  const own = diagnostics.filter(({ path }) => path === agent);
  expect(own.map(({ severity }) => severity)).not.toContain('error');
  return own.map(({ line, column, code, hint = '' }) => `${line}:${column} ${code} ${hint}`.trim());
}

const list = (...patterns: readonly string[]): string => patterns.map((one) => `  - "${one}"\n`).join('');

describe('a name in blockedTools that no tool has', () => {
  test('is found by lint with its place and what was meant', async () => {
    expect(
      await lint(list('bsh', 'filesytem.write', 'work.deplpy', 'filesytem.*', 'nothing.like.it')),
    ).toEqual([
      '3:5 unknown-tool bsh → bash?',
      '4:5 unknown-tool filesytem.write → filesystem.write?',
      '5:5 unknown-tool work.deplpy → work.deploy?',
      '6:5 unknown-tool filesytem.* → filesystem.*?',
      '7:5 unknown-tool',
    ]);
  });

  test("is found in a space's manifest too, which blocks for all agents of the space", async () => {
    const path = 'spaces/work/space.manifest.json';
    await using home = await createHome({
      [path]: '{\n  "id": "work",\n  "blockedTools": ["bash", "filesytem.write"]\n}\n',
    });
    const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
    expect(diagnostics.filter((one) => one.path === path)).toMatchObject([
      { code: 'unknown-tool', line: 3, hint: 'filesytem.write → filesystem.write?' },
    ]);
  });

  test('is none when it is a tool, a module, a meta-tool, or a pattern that may come true', async () => {
    const fine = [
      'bash',
      'filesystem.write',
      'work.deploy',
      'filesystem',
      'run_parallel',
      '*.delete*',
      'drop_*',
      'work.drop_*',
    ];
    expect(await lint(list(...fine))).toEqual([]);
  });

  test('may be of a server that was never connected, unless it is nearly that of a known tool', async () => {
    const config = JSON.stringify({ mcpServers: { silent: fixture('never-answers') } });
    expect(await lint(list('silent.tool', 'somewhere_else', 'silnt.tool', 'bsh'), config)).toEqual([
      '5:5 unknown-tool silnt.tool → silent.tool?',
      '6:5 unknown-tool bsh → bash?',
    ]);
  });

  test('is among the diagnostics of the home', async () => {
    await using home = await createHome({ [agent]: 'id: work\nblockedTools: [bsh]\n' });
    const { diagnostics } = await pegboardJson<Found>(['tools'], { home: home.path });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        code: 'unknown-tool',
        line: 2,
        column: 16,
        hint: 'bsh → bash?',
      }),
    );
  });
});

test('lint finds what constraints of a module name and it does not have, however the file is written', async () => {
  await using home = await createHome({
    [agent]: 'id: work\ntools: { modules: { filesystem: { constraints: { blocked_actions: [wirte] } } } }\n',
  });
  const { code, stdout } = await pegboard(['lint'], { home: home.path });
  expect(code).toBe(1);
  expect(stdout).toMatch(/spaces\/work\/agent\/agent\.yaml:2:\d+ +unknown-action/);
  expect(stdout).toContain('wirte → write?');
});
