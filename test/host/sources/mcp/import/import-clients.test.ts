import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findClientServers } from '../../../../../host/sources/mcp/import/import-clients.ts';

/** A user's home with a project in it, and the settings of other clients in both. */
async function user(files: { readonly [path: string]: string }) {
  const userHome = await mkdtemp(join(tmpdir(), 'pegboard-user-'));
  const project = join(userHome, 'project');
  for (const [file, text] of Object.entries(files)) {
    const path = join(userHome, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text.replaceAll('PROJECT', project));
  }
  return {
    userHome,
    project,
    find: () => findClientServers({ userHome, project, platform: 'linux' }),
    [Symbol.asyncDispose]: () => rm(userHome, { recursive: true }),
  };
}

const stdio = { command: 'npx', args: ['-y', 'some-server'] };

test('a machine without other clients has nothing to import', async () => {
  await using someone = await user({});
  expect(await someone.find()).toEqual({ servers: [], diagnostics: [] });
});

test('the servers of every client are found, with the client and the file they come from', async () => {
  const mcpServers = (name: string): string => JSON.stringify({ mcpServers: { [name]: stdio } });
  await using someone = await user({
    '.config/Claude/claude_desktop_config.json': mcpServers('desktop'),
    '.claude.json': JSON.stringify({
      mcpServers: { everywhere: stdio },
      projects: { PROJECT: { mcpServers: { here: stdio } }, '/other': { mcpServers: { there: stdio } } },
    }),
    'project/.mcp.json': mcpServers('shared'),
    '.cursor/mcp.json': mcpServers('cursor'),
    'project/.vscode/mcp.json': JSON.stringify({ servers: { code: { type: 'stdio', ...stdio } } }),
    '.codeium/windsurf/mcp_config.json': mcpServers('windsurf'),
    '.gemini/settings.json': mcpServers('gemini'),
    '.codex/config.toml': '[mcp_servers.codex]\ncommand = "npx"\nargs = ["-y", "some-server"]\n',
  });
  const { servers, diagnostics } = await someone.find();
  expect(diagnostics).toEqual([]);
  expect(servers.map(({ client, name }) => `${client}: ${name}`)).toEqual([
    'Claude Desktop: desktop',
    'Claude Code: everywhere',
    'Claude Code: here',
    'Claude Code: shared',
    'Cursor: cursor',
    'VS Code: code',
    'Windsurf: windsurf',
    'Gemini CLI: gemini',
    'Codex: codex',
  ]);
  for (const { config } of servers) expect(config).toEqual(stdio);
  expect(servers[0]!.path).toBe(join(someone.userHome, '.config/Claude/claude_desktop_config.json'));
});

test('comments, trailing commas and a byte-order mark are no obstacle', async () => {
  await using someone = await user({
    'project/.vscode/mcp.json': `\uFEFF{
      // my servers
      "servers": {
        "web": { "type": "http", "url": "https://example.com//mcp", /* not a // comment */ },
      }, // the end
    }`,
  });
  const { servers } = await someone.find();
  expect(servers).toMatchObject([{ name: 'web', config: { url: 'https://example.com//mcp' } }]);
});

test("each client's words for one thing become ours", async () => {
  await using someone = await user({
    'project/.vscode/mcp.json': JSON.stringify({
      servers: {
        github: {
          command: 'node',
          args: ['${workspaceFolder}/server.js'],
          env: { TOKEN: '${input:github-token}', HOST: '${env:GH_HOST}', PORT: 1 },
        },
      },
    }),
    '.codeium/windsurf/mcp_config.json': JSON.stringify({
      mcpServers: { linear: { serverUrl: 'https://mcp.linear.app/sse', disabled: true } },
    }),
    '.gemini/settings.json': JSON.stringify({
      mcpServers: {
        docs: {
          httpUrl: 'https://docs.example/mcp',
          headers: { Authorization: 'Bearer $DOCS_TOKEN' },
          trust: true,
          timeout: 5000,
          includeTools: ['search'],
          excludeTools: ['delete'],
        },
      },
    }),
    '.claude.json': JSON.stringify({ mcpServers: { old: { type: 'sse', url: 'http://127.0.0.1:1/sse' } } }),
    '.codex/config.toml': `
      model = "gpt" # not ours
      [mcp_servers."my server"]
      url = 'https://figma.example/mcp'
      bearer_token_env_var = "FIGMA_TOKEN"
      enabled_tools = [
        "read", # why
        "list",
      ]
      [mcp_servers.local]
      command = "server"
      env = { KEY = "v=1", "OTHER" = 'x' }
      startup_timeout_sec = 20
      [mcp_servers.local.tools.search]
      approval = "always"
      [[agents]]
      name = "x"
    `,
  });
  const { servers, diagnostics } = await someone.find();
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'Codex: these settings of server "local" have no counterpart here: tools',
  ]);
  expect(Object.fromEntries(servers.map(({ name, config }) => [name, config]))).toEqual({
    github: {
      command: 'node',
      args: [`${someone.project}/server.js`],
      env: { TOKEN: '${GITHUB_TOKEN}', HOST: '${GH_HOST}', PORT: '1' },
    },
    linear: { url: 'https://mcp.linear.app/sse', enabled: false },
    docs: {
      url: 'https://docs.example/mcp',
      headers: { Authorization: 'Bearer ${DOCS_TOKEN}' },
      allow: ['search'],
      block: ['delete'],
      timeout: 5,
    },
    old: { type: 'sse', url: 'http://127.0.0.1:1/sse' },
    'my server': {
      url: 'https://figma.example/mcp',
      headers: { Authorization: 'Bearer ${FIGMA_TOKEN}' },
      allow: ['read', 'list'],
    },
    local: { command: 'server', env: { KEY: 'v=1', OTHER: 'x' }, connectTimeout: 20 },
  });
});

test('what can not be read or used is reported with its file, and does not affect the others', async () => {
  await using someone = await user({
    '.cursor/mcp.json': '{ "mcpServers": ',
    '.claude.json': JSON.stringify({ mcpServers: { empty: {}, text: 'x', good: stdio } }),
    '.codex/config.toml': 'mcp_servers = 5\n[mcp_servers\n= \n"unclosed\n',
  });
  const { servers, diagnostics } = await someone.find();
  expect(servers.map(({ name }) => name)).toEqual(['good']);
  expect(diagnostics.map(({ message, path }) => ({ message, path }))).toMatchObject([
    { message: 'Claude Code: server "empty" is left out: it has neither command nor url' },
    { message: 'Claude Code: server "text" is left out: it is not an object' },
    {
      message: expect.stringMatching(/^Cursor: its settings can't be read: .*JSON/) as string,
      path: join(someone.userHome, '.cursor/mcp.json'),
    },
    {
      message: expect.stringMatching(/^Codex: its settings can't be read: invalid TOML at line 3/) as string,
    },
  ]);
});

test('what an entry says is taken over, or named where it has no counterpart', async () => {
  await using someone = await user({
    'project/.env.local': 'KEY=from-file\nOTHER=o\n',
    '.codeium/windsurf/mcp_config.json': JSON.stringify({
      mcpServers: { wind: { ...stdio, disabledTools: ['a'], color: 'red' } },
    }),
    '.codex/config.toml': [
      '[mcp_servers.local]',
      'command = "x"',
      'env_vars = ["TOKEN"]',
      'startup_timeout_sec = 20',
      'tool_timeout_sec = 90',
      '[mcp_servers.far]',
      'url = "https://far.example/mcp"',
      '[mcp_servers.far.env_http_headers]',
      'X-Key = "FAR_KEY"',
    ].join('\n'),
    '.cursor/mcp.json': JSON.stringify({
      mcpServers: {
        signed: {
          url: 'https://a.example',
          auth: { CLIENT_ID: 'id', CLIENT_SECRET: '${env:S}', scopes: ['r'] },
        },
        file: { ...stdio, envFile: '${workspaceFolder}/.env.local', env: { OTHER: 'own' } },
      },
    }),
    '.config/Code/User/mcp.json': JSON.stringify({
      inputs: [{ id: 'site-url', type: 'promptString', default: 'https://d.example' }],
      servers: { asked: { ...stdio, env: { SITE: '${input:site-url}', KEY: '${input:key}' } } },
    }),
    '.config/zed/settings.json':
      '{ "context_servers": { "zed": { "command": { "path": "z", "args": ["a"] } }, } }',
    '.config/opencode/opencode.json': JSON.stringify({
      mcp: { open: { type: 'local', command: ['o', 'b'], environment: { A: '{env:B}' }, timeout: 5000 } },
    }),
  });
  const { servers, diagnostics } = await someone.find();
  const configs = Object.fromEntries(servers.map(({ name, config }) => [name, config]));
  expect(configs).toMatchObject({
    wind: { block: ['a'] },
    local: { env: { TOKEN: '${TOKEN}' }, connectTimeout: 20, timeout: 90 },
    far: { headers: { 'X-Key': '${FAR_KEY}' } },
    signed: { oauth: { clientId: 'id', clientSecret: '${S}', scopes: ['r'] } },
    file: { env: { KEY: 'from-file', OTHER: 'own' } },
    asked: { env: { SITE: '${SITE_URL:-https://d.example}', KEY: '${KEY}' } },
    zed: { command: 'z', args: ['a'] },
    open: { command: 'o', args: ['b'], env: { A: '${B}' }, timeout: 5 },
  });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'Windsurf: these settings of server "wind" have no counterpart here: color',
  ]);
});

test('a file that is named is read, whatever client it is of', async () => {
  await using someone = await user({ 'some.json': JSON.stringify({ servers: { one: stdio } }) });
  const { userHome, project } = someone;
  const places = { userHome, project, platform: 'linux' } as const;
  const { servers } = await findClientServers(places, join(userHome, 'some.json'));
  expect(servers).toMatchObject([{ name: 'one', config: stdio }]);
  const { diagnostics } = await findClientServers(places, join(userHome, 'none.json'));
  expect(diagnostics).toHaveLength(1);
});

test('nothing of an entry is lost silently', async () => {
  await using someone = await user({
    'project/.env.refers': 'KEY=${OTHER}\n',
    '.cursor/mcp.json': `{ "mcpServers": {
      "__proto__": { "command": "proto", "env": { "__proto__": "x" } },
      "gone": { "command": "x", "envFile": "\${workspaceFolder}/.env.gone" },
      "refers": { "command": "x", "envFile": ".env.refers" },
      "unknown": { "command": "x", "envFile": "\${workspaceFolderBasename}/.env" },
      "both": { "command": "x", "url": "https://a.example" },
      "number": { "command": 5 },
      "address": { "url": ["https://a.example"] },
      "wrong": { "command": "x", "args": "-a", "env": { "A": { "b": 1 }, "B": null }, "cwd": 7, "timeout": "5" },
      "items": { "command": "x", "args": ["a", { "b": 1 }] },
      "twice": { "command": "x", "env": { "A": "1" }, "environment": { "B": "2" } },
      "auth": { "url": "https://a.example", "auth": { "CLIENT_ID": "i", "AUDIENCE": "a", "scopes": [1, {}] } },
      "literal": { "command": "x", "args": ["\${UNSET}", "\${env:SET}", "$PLAIN", "\${pathSeparator}"] }
    } }`,
    '.claude.json': JSON.stringify({
      mcpServers: { expands: { command: 'x', args: ['${A}', '${B:-c}'] } },
    }),
    '.codeium/windsurf/mcp_config.json': '{ "mcpServers": [] }',
    '.codex/config.toml': '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.__proto__]\ncommand = "x"\n',
  });
  const { servers, diagnostics } = await someone.find();
  const configs = new Map(servers.map(({ name, config }) => [name, config]));
  expect(JSON.stringify(configs.get('__proto__'))).toBe('{"command":"proto","env":{"__proto__":"x"}}');
  expect(configs.get('both')).toEqual({ command: 'x' });
  expect(configs.get('literal')!.args).toEqual(['${UNSET}', '${SET}', '$PLAIN', '${pathSeparator}']);
  expect(configs.get('expands')!.args).toEqual(['${A}', '${B:-c}']);
  const lost = (name: string): RegExp =>
    new RegExp(`these settings of server "${name}" have no counterpart here: (.*)`);
  const messages = diagnostics.map(({ message }) => message);
  const lostOf = (name: string): string | undefined =>
    messages.flatMap((message) => lost(name).exec(message)?.[1] ?? [])[0];
  expect(lostOf('gone')).toMatch(/^envFile \(.*\.env\.gone/);
  expect(lostOf('unknown')).toMatch(/^envFile \(/);
  expect(lostOf('both')).toBe('url');
  expect(lostOf('wrong')).toBe(
    'args (not a list), env.A (not a text), env.B (not a text), cwd (not a text), timeout (not a number above 0)',
  );
  expect(lostOf('items')).toBe('args[1] (not a text)');
  expect(lostOf('twice')).toBe('environment');
  expect(lostOf('auth')).toBe('auth.AUDIENCE, auth.scopes[1] (not a text)');
  expect(messages).toContain('Cursor: server "number" is left out: its command is not a text');
  expect(messages).toContain('Cursor: server "address" is left out: its url is not a text');
  expect(messages).toContainEqual(
    expect.stringContaining('server "literal" has ${UNSET}, ${pathSeparator}, which that client'),
  );
  expect(messages).toContainEqual(expect.stringContaining('server "refers" has ${OTHER}'));
  expect(messages.filter((message) => message.includes('"expands"'))).toEqual([]);
  expect(messages).toContain('Windsurf: its mcpServers is not an object');
  expect(messages).toContainEqual(expect.stringMatching(/^Codex: its settings .* at line 3 .*__proto__/));
});

test('of duplicate members the last is used, and the others are named with their lines', async () => {
  await using someone = await user({
    '.cursor/mcp.json': `\uFEFF{ "mcpServers": { "early": { "command": "e" } },
      "theme": 1, "theme": 2,
      "mcpServers": {
        "github": { "command": "first", "env": { "A": "1", "A": "2" } },
        "other": { "command": "x", "env": { "KEY": "a", "KEY": "b" } },
        "github": { "command": "second" }, // the token is here
        "github": { "command": "third" } } }`,
  });
  const { servers, diagnostics } = await someone.find();
  expect(servers.map(({ name, config }) => [name, config])).toEqual([
    ['github', { command: 'third' }],
    ['other', { command: 'x', env: { KEY: 'b' } }],
  ]);
  const leftOut = (what: string, where: string): string =>
    `Cursor: "${what}" is left out: it occurs again ${where}, and the last one is used`;
  expect(diagnostics.map(({ line, message }) => [line, message])).toEqual([
    [1, leftOut('mcpServers', 'on line 3')],
    [4, leftOut('mcpServers.github', 'on line 7')],
    [6, leftOut('mcpServers.github', 'on line 7')],
    [5, leftOut('mcpServers.other.env.KEY', 'on the same line')],
  ]);
});
