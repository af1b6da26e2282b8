import { expect, test } from 'vitest';
import { processSurroundings } from '../../host/core/platform/surroundings.ts';
import { loadConfig } from '../../host/config.ts';
import { createHost } from '../../host/create-host.ts';
import { findHome } from '../../host/home.ts';
import { createHome } from '../kit/homes/home.ts';

const load = async (
  files: { readonly [file: string]: string },
  environment: { readonly [name: string]: string } = {},
) => {
  await using home = await createHome(files);
  return loadConfig(home.path, { ...processSurroundings(), resolve: (name) => environment[name] });
};

test('a home without any file has working defaults', async () => {
  const { config, diagnostics, broken } = await load({});
  expect(config).toMatchObject({
    name: 'pegboard',
    confirm: 'manifest',
    outputLimit: undefined,
    plugins: {},
  });
  expect(config.servers.size).toBe(0);
  expect(diagnostics).toEqual([]);
  expect(broken).toBe(false);
});

test('${NAME} is filled in, a default stands in for what is unset, and an unset one is named with its key and place', async () => {
  const yaml =
    'name: "${WHO}"\nserve:\n  token: "${TOKEN:-fallback-token-1}"\n  allowedHosts: ["${NOBODY}"]\n';
  const { config, diagnostics, broken } = await load({ 'pegboard.yaml': yaml }, { WHO: 'me' });
  expect(config.name).toBe('me');
  expect(config.serve.token).toBe('fallback-token-1');
  expect(broken).toBe(true);
  expect(diagnostics).toEqual([
    expect.objectContaining({
      code: 'unset-variable',
      message: 'serve.allowedHosts.0 needs ${NOBODY}, which is not set',
      line: 4,
      column: 18,
    }),
  ]);
});

test('the value of a variable is checked like a literal value', async () => {
  const yaml = (url: string): string => `models: { providers: { mine: { base_url: "${url}" } } }\n`;
  for (const url of ['${WHERE:-http://127.0.0.1:8000/v1}', '${HTTPS}'])
    expect(await load({ 'pegboard.yaml': yaml(url) }, { HTTPS: 'https://a.example/v1' })).toMatchObject({
      broken: false,
      diagnostics: [],
    });
  const { broken, diagnostics } = await load({ 'pegboard.yaml': yaml('${WRONG}') }, { WRONG: 'nowhere' });
  expect(broken).toBe(true);
  expect(diagnostics).toMatchObject([{ code: 'wrong-format', line: 1, column: 42 }]);
});

test('a variable may stand for a number, a boolean or one of several words', async () => {
  const yaml =
    'confirm: ${ASK:-always}\noutput: { limit: "${LIMIT:-20000}" }\nplugins: { x: { enabled: "${ON}" } }\n';
  const { config, diagnostics } = await load({ 'pegboard.yaml': yaml }, { ON: 'false' });
  expect(diagnostics).toEqual([]);
  expect(config).toMatchObject({
    confirm: 'always',
    outputLimit: 20_000,
    plugins: { x: { enabled: false } },
  });
});

test('no message contains the value of a variable, and an invalid reference is reported', async () => {
  const yaml = 'confirm: ${SECRET:-always}\nname: ${A:-${B:-x}}\nserve: { token: "${C:-x" }\n';
  const { diagnostics, broken } = await load({ 'pegboard.yaml': yaml }, { SECRET: 'ghp_0123456789' });
  expect(broken).toBe(true);
  expect(JSON.stringify(diagnostics)).not.toContain('ghp_');
  expect(diagnostics.map(({ code, line }) => `${line} ${code}`)).toEqual([
    '2 no-reference',
    '3 no-reference',
    '1 not-allowed',
  ]);
  expect(diagnostics.at(-1)?.message).toContain('the value of ${SECRET:-always}');
});

test('.mcp.json is read as other clients write it, and pegboard.yaml goes before it', async () => {
  const { config } = await load({
    'pegboard.yaml': 'mcpServers:\n  mine: { command: mine }\n',
    '.mcp.json': JSON.stringify({
      mcpServers: {
        mine: { command: 'theirs' },
        web: { type: 'streamable-http', url: 'http://localhost:1/mcp' },
        off: { command: 'x', disabled: true },
      },
    }),
  });
  expect(config.servers.get('mine')?.config.command).toBe('mine');
  expect(config.servers.get('web')?.config).toEqual({ type: 'http', url: 'http://localhost:1/mcp' });
  expect(config.servers.get('off')?.config.enabled).toBe(false);
});

test('one bad server is left out with its place, and the others stay', async () => {
  const yaml = 'mcpServers:\n  good: { command: a }\n  bad: { command: a, timout: 3 }\n';
  const { config, diagnostics, broken } = await load({ 'pegboard.yaml': yaml });
  expect([...config.servers.keys()]).toEqual(['good']);
  expect(broken).toBe(false);
  expect(diagnostics).toEqual([
    expect.objectContaining({
      code: 'bad-server',
      line: 3,
      hint: 'timout → timeout?',
      message: expect.stringContaining('"bad"'),
    }),
  ]);
});

test('a host does not start on a broken pegboard.yaml, and says where and what', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'name: x\nconfrim: always\n' });
  await expect(createHost({ home: home.path })).rejects.toThrow(
    /pegboard\.yaml:2:1: .*"confrim" is not known.*confrim → confirm\?/s,
  );
});

test('the home is the one that is named, else the nearest folder upward with a pegboard.yaml, else ~/.pegboard', async () => {
  await using home = await createHome({ 'a/b/x': '' });
  const find = (flag: string | undefined, env: NodeJS.ProcessEnv, folder: string): string =>
    findHome(flag, { env, cwd: () => folder, userHome: '/home/ada' });
  expect(find('/named', { PEGBOARD_HOME: '/other' }, home.path)).toBe('/named');
  expect(find(undefined, { PEGBOARD_HOME: '/other' }, home.path)).toBe('/other');
  expect(find(undefined, {}, `${home.path}/a/b`)).toBe(home.path);
  expect(find(undefined, {}, '/')).toBe('/home/ada/.pegboard');
});

test('pegboard.local.yaml is on top of pegboard.yaml: maps key by key, everything else as a whole', async () => {
  const { config, diagnostics } = await load({
    'pegboard.yaml': `
confirm: always
sandbox: workspace
serve: { token: shared-token-1, allowedHosts: [a.example, b.example] }
plugins: { x: { enabled: true, config: { one: 1 } } }
mcpServers:
  theirs: { command: theirs, args: [a] }
  moved: { command: moved, env: { A: a } }
  same: { command: same, timeout: 5 }
`,
    'pegboard.local.yaml': `
confirm: manifest
sandbox: { level: strict }
serve: { allowedHosts: [c.example] }
plugins: { x: { config: { two: 2 } } }
mcpServers:
  theirs: { enabled: false }
  moved: { url: "https://moved.example" }
  mine: { command: mine }
`,
    '.mcp.json': '{ "mcpServers": { "mine": { "command": "not this" } } }',
  });
  expect(diagnostics).toEqual([]);
  expect(config).toMatchObject({
    confirm: 'manifest',
    sandbox: { level: 'strict' },
    serve: { token: 'shared-token-1', allowedHosts: ['c.example'] },
    plugins: { x: { enabled: true, config: { one: 1, two: 2 } } },
  });
  const servers = [...config.servers].map(([name, { config: entry, origin }]) => [
    name,
    entry,
    origin.split('/').at(-1),
  ]);
  expect(servers).toEqual([
    ['theirs', { command: 'theirs', args: ['a'], enabled: false }, 'pegboard.local.yaml'],
    ['moved', { url: 'https://moved.example' }, 'pegboard.local.yaml'],
    ['same', { command: 'same', timeout: 5 }, 'pegboard.yaml'],
    ['mine', { command: 'mine' }, 'pegboard.local.yaml'],
  ]);
});

test('what is wrong in pegboard.local.yaml is reported there, and a variable is filled in once', async () => {
  const wrong = async (local: string, main = 'name: "${NAME}"\nconfirm: sometimes\n') => {
    const { diagnostics, broken } = await load(
      { 'pegboard.yaml': main, 'pegboard.local.yaml': local },
      { NAME: '${OTHER}', OTHER: 'no' },
    );
    return { broken, at: diagnostics.map(({ path, line }) => `${path?.split('/').at(-1)}:${line}`) };
  };
  expect(await wrong('\n\noutput: { limit: many }')).toEqual({
    broken: true,
    at: ['pegboard.yaml:2', 'pegboard.local.yaml:3'],
  });
  expect(await wrong('confirm: never')).toEqual({ broken: false, at: [] });
  expect(await wrong('# nothing\n', 'confirm: never')).toEqual({ broken: false, at: [] });
  expect(await wrong('confirm: [', '')).toEqual({ broken: true, at: ['pegboard.local.yaml:1'] });
  expect(await wrong('- a list', 'confirm: never')).toEqual({ broken: true, at: ['pegboard.local.yaml:1'] });
  expect(await wrong('mcpServers: { x: { timeout: long, command: x } }', '')).toEqual({
    broken: false,
    at: ['pegboard.local.yaml:1'],
  });
  const { config } = await load(
    { 'pegboard.yaml': 'name: "${NAME}"', 'pegboard.local.yaml': 'confirm: never' },
    { NAME: '${OTHER}', OTHER: 'no' },
  );
  expect(config.name).toBe('${OTHER}');
});
