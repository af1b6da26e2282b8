import { expect, test } from 'vitest';
import agent from '../../../../schemas/agent.schema.json' with { type: 'json' };
import mcp from '../../../../schemas/mcp.schema.json' with { type: 'json' };
import config from '../../../../schemas/pegboard.schema.json' with { type: 'json' };
import plugin from '../../../../schemas/plugin.schema.json' with { type: 'json' };
import skill from '../../../../schemas/skill.schema.json' with { type: 'json' };
import space from '../../../../schemas/space.manifest.schema.json' with { type: 'json' };
import tool from '../../../../schemas/tool.schema.json' with { type: 'json' };
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';

interface Found {
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly code: string;
    readonly message: string;
  }[];
}

test('the examples that editors show are files that lint finds nothing wrong with', async () => {
  const frontMatter = (value: object, body = ''): string => `---\n${JSON.stringify(value)}\n---\n${body}`;
  await using home = await createHome({
    'pegboard.yaml': JSON.stringify(config.examples[0]),
    '.mcp.json': JSON.stringify(mcp.examples[0]),
    'spaces/example/space.manifest.json': JSON.stringify(space.examples[0]),
    'spaces/example/agent/agent.yaml': JSON.stringify(agent.examples[0]),
    'spaces/example/agent/tools/greet.md': frontMatter(tool.examples[0]!),
    'spaces/example/agent/skills/daily-standup.md': frontMatter(skill.examples[0]!, 'Read the log.\n'),
    'plugins/weather/plugin.yaml': JSON.stringify(plugin.examples[0]),
    'plugins/weather/index.ts': 'export default { setup() {} };\n',
  });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics).toEqual([]);
});

test('words of other clients in .mcp.json are taken by lint and by the host alike', async () => {
  await using home = await createHome({
    '.mcp.json': JSON.stringify({
      mcpServers: {
        web: { type: 'streamable-http', url: 'http://localhost:1/mcp', alwaysAllow: ['x'], disabled: true },
      },
    }),
  });
  const { diagnostics } = await pegboardJson<Found>(['lint'], { home: home.path });
  expect(diagnostics).toEqual([]);
  const { disabled } = await pegboardJson<{ readonly disabled: readonly string[] }>(['mcp', 'list'], {
    home: home.path,
  });
  expect(disabled).toEqual(['web']);
});

test('a value that is none of several is reported once', async () => {
  await using home = await createHome({
    'pegboard.yaml': 'confirm: true\nsandbox: false\n',
    'spaces/example/agent/tools/greet.yaml':
      'id: greet\nname: Greet\ndescription: Greets\ncommand: date\noutput: 5\n',
  });
  const { stdout } = await pegboard(['lint', '--json'], { home: home.path });
  const { diagnostics } = JSON.parse(stdout) as Found;
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'not-allowed: "confirm" must be one of "manifest", "never", "always", not the boolean true',
    'not-allowed: "sandbox" must be one of "off", "workspace", "strict", not the boolean false',
    'not-allowed: "output" must be one of "text", "json", "lines", not the number 5',
  ]);
});

test('a variable can stand for a truth where words are possible too', async () => {
  const yaml =
    'models:\n  providers:\n    own: { base_url: "http://localhost:1/v1", native_tool_use: "${NATIVE}" }\n';
  await using home = await createHome({ 'pegboard.yaml': yaml, '.env': 'NATIVE=false\n' });
  expect(await pegboard(['tools', '--json'], { home: home.path })).toMatchObject({ code: 0, stderr: '' });
  await home.write('.env', 'NATIVE=maybe\n');
  const { stderr } = await pegboard(['tools', '--json'], { home: home.path });
  expect(stderr).toContain('must be one of true, false, "auto"');
});
