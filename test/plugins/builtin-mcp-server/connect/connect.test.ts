import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { fileOf, knownClients } from '../../../../plugins/builtin-mcp-server/connect/clients.ts';
import { userStateOf } from '../../../../host/store/owner/user-state.ts';
import { cloneEntry, packageEntry, pegboard, pegboardJson, type CliResult } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { startOnTerminal } from '../../../kit/pty.ts';

/** A user with settings of other clients, and a Pegboard home. */
async function openUser(files: { readonly [path: string]: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-user-'));
  const home: TestHome = await createHome();
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const state = process.env['XDG_STATE_HOME'];
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: undefined,
    CODEX_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
  };
  return {
    folder,
    home,
    state,
    options: { home: home.path, cwd: folder, env },
    connect: (...args: string[]): Promise<CliResult> =>
      pegboard(['connect', ...args], { home: home.path, cwd: folder, env }),
    read: (file: string): Promise<string> => readFile(join(folder, file), 'utf8'),
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The file that each client reads on Linux, its content before, and the path of servers in it. */
const clients = {
  'claude-code': [
    '.claude.json',
    '{\n  "numStartups": 7,\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
    'mcpServers',
  ],
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', '{}', 'mcpServers'],
  cursor: ['.cursor/mcp.json', '{"mcpServers":{}}', 'mcpServers'],
  vscode: [
    '.config/Code/User/mcp.json',
    '// mine\n{\n\t"servers": {\n\t\t// the first one\n\t\t"other": { "command": "x", }, // trailing\n\t},\n}\n',
    'servers',
  ],
  codex: [
    '.codex/config.toml',
    '# mine\nmodel = "o4"   # keep\n\n[mcp_servers.other]\ncommand = "x" # y\nargs = [\n  "a", # b\n]\n\n# profiles\n[profiles.a]\nmodel = "m"\n',
    'mcp_servers',
  ],
  windsurf: ['.codeium/windsurf/mcp_config.json', '{\r\n  "mcpServers": {\r\n  }\r\n}\r\n', 'mcpServers'],
  zed: [
    '.config/zed/settings.json',
    '// Zed settings\n{\n  "theme": "One Dark", // dark\n  /* fonts */\n  "ui_font_size": 16,\n}\n',
    'context_servers',
  ],
  opencode: ['.config/opencode/opencode.json', '{ "$schema": "https://opencode.ai/config.json" }\n', 'mcp'],
  gemini: ['.gemini/settings.json', '\uFEFF{\n    "theme": "x"\n}', 'mcpServers'],
} as const;

interface Entry {
  readonly command: string | readonly string[];
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly environment?: Record<string, string>;
}

describe.for(Object.entries(clients))('pegboard connect %s', ([id, [file, before, key]]) => {
  test('writes an entry that the client can start, keeps all else, and takes it out again', async () => {
    await using user = await openUser({ [file]: before });
    const connected = await user.connect(id, '--yes');
    expect(connected).toMatchObject({ code: 0 });
    const after = await user.read(file);
    // Only whitespace was removed.
    expect(isSubsequence(before.replaceAll(/\s/g, ''), after)).toBe(true);
    expect(await user.read(`${file}.before-pegboard`)).toBe(before);

    const again = await user.connect(id, '--yes');
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('connected already');
    expect(await user.read(file)).toBe(after);

    expect(await toolsOf(await startOf(after, id, key), user.home.path)).toContain('read');

    expect(await user.connect(id, '--remove', '--yes')).toMatchObject({ code: 0 });
    expect(await user.read(file)).toBe(before);
    expect((await readdir(dirname(join(user.folder, file)))).length).toBe(1);
    expect((await user.connect(id, '--remove', '--yes')).stdout).toContain('has no such entry');
  });

  test('makes the file where there is none, for its user alone, and takes it away again', async () => {
    await using user = await openUser();
    expect(await user.connect(id, '--yes')).toMatchObject({ code: 0 });
    expect((await stat(join(user.folder, file))).mode & 0o777).toBe(0o600);
    expect(await filesBelow(user.folder)).toEqual([file]);
    expect(await user.connect(id, '--remove', '--yes')).toMatchObject({ code: 0 });
    // With the folders that were made for it.
    expect(await readdir(user.folder)).toEqual([]);
  });

  test('leaves a folder that was there, or that has something else in it by now', async () => {
    await using user = await openUser();
    const folder = dirname(join(user.folder, file));
    await user.connect(id, '--yes');
    if (folder !== user.folder) {
      await writeFile(join(folder, 'mine'), 'mine');
      await user.connect(id, '--remove', '--yes');
      expect(await readdir(folder)).toEqual(['mine']);
      await rm(join(folder, 'mine'));
      await user.connect(id, '--yes');
    }
    await user.connect(id, '--remove', '--yes');
    expect(await readdir(folder)).toEqual([]);
  });
});

const filesBelow = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
};

/** Whether its characters occur in this order. */
function isSubsequence(wanted: string, text: string): boolean {
  let at = 0;
  return Array.from(wanted).every((character) => (at = text.indexOf(character, at) + 1) > 0);
}

/** How a client would start the entry in its file. */
async function startOf(text: string, id: string, key: string) {
  let entry: Entry;
  if (id === 'codex') {
    const { getStaticTOMLValue, parseTOML } = await import('toml-eslint-parser');
    entry = (getStaticTOMLValue(parseTOML(text)) as any)[key].pegboard as Entry;
  } else entry = parse(text.replace('\uFEFF', ''))[key].pegboard as Entry;
  const [command = '', ...args] = [entry.command, ...(entry.args ?? [])].flat();
  return { command, args, env: { ...(entry.env ?? entry.environment), PATH: '/nowhere' } };
}

type Start = Awaited<ReturnType<typeof startOf>>;

/** By how the home is started, wherever it is: clients that start it in the same way get the same tools. */
const known = new Map<string, Promise<readonly string[]>>();

function toolsOf(start: Start, home: string): Promise<readonly string[]> {
  const how = JSON.stringify(start).replaceAll(home, 'HOME');
  if (!known.has(how)) known.set(how, startedTools(start));
  return known.get(how)!;
}

async function startedTools({ command, args, env }: Start): Promise<readonly string[]> {
  const client = new Client({ name: 'reader', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, cwd: '/' }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe('pegboard connect', () => {
  test('shows the difference and asks; nobody there means no', async () => {
    await using user = await openUser({ '.cursor/mcp.json': '{}\n' });
    const nobody = await user.connect('cursor');
    expect(nobody).toMatchObject({ code: 3 });
    expect(nobody.stderr).toContain('+      "command"');
    expect(await user.read('.cursor/mcp.json')).toBe('{}\n');
    const dry = await user.connect('cursor', '--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stderr).toContain('"--stdio"');
    expect(await user.read('.cursor/mcp.json')).toBe('{}\n');
    await using terminal = startOnTerminal(['connect', 'cursor'], user.options);
    await terminal.next(/Make this change to .*\?/);
    terminal.child.stdin.write('y');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(await user.read('.cursor/mcp.json')).toContain('"--stdio"');
  });

  test('--json says what was done', async () => {
    await using user = await openUser();
    const { home, ...options } = user.options;
    const said = await pegboardJson(['connect', 'vscode', '--yes'], { home, ...options });
    expect(said).toMatchObject({
      client: 'vscode',
      path: join(user.folder, '.config/Code/User/mcp.json'),
      action: 'add',
      written: true,
      entry: { type: 'stdio', args: expect.arrayContaining(['--home', home, 'serve', '--stdio']) as unknown },
    });
    expect(await pegboardJson(['connect', 'vscode', '--yes'], { home, ...options })).toMatchObject({
      action: 'none',
      written: false,
    });
  });

  test('--http connects to what is served, with its token, which is not shown', async () => {
    await using user = await openUser();
    const { stderr, stdout } = await user.connect('cursor', '--http', '3917', '--yes');
    const token = (
      await readFile(join(userStateOf(user.home.path, processSurroundings()), 'serve-token'), 'utf8')
    ).trim();
    expect(JSON.parse(await user.read('.cursor/mcp.json'))).toEqual({
      mcpServers: {
        pegboard: { url: 'http://127.0.0.1:3917/mcp', headers: { Authorization: `Bearer ${token}` } },
      },
    });
    expect(stderr + stdout).not.toContain(token);
    const codex = await user.connect('codex', '--http', '3917', '--yes');
    expect(codex).toMatchObject({ code: 0 });
    expect(await user.read('.codex/config.toml')).toBe(
      `[mcp_servers.pegboard]\nurl = "http://127.0.0.1:3917/mcp"\n\n[mcp_servers.pegboard.http_headers]\nAuthorization = "Bearer ${token}"\n`,
    );
    expect((await user.connect('claude-desktop', '--http', '3917', '--yes')).stderr).toContain(
      "can't connect over HTTP",
    );
    // From one transport to the other, then removed.
    expect(await user.connect('codex', '--yes')).toMatchObject({ code: 0 });
    expect(await user.read('.codex/config.toml')).not.toContain('http_headers');
    expect(await user.connect('codex', '--remove', '--yes')).toMatchObject({ code: 0 });
  });

  test('--http keeps the token for its user alone, and warns where it goes into a project', async () => {
    await using user = await openUser({ '.cursor/mcp.json': '{}\n', 'work/.cursor/mcp.json': '{}\n' });
    const settings = join(user.folder, '.cursor/mcp.json');
    await chmod(settings, 0o644);
    const { stderr } = await user.connect('cursor', '--http', '3917', '--yes');
    expect(stderr).not.toContain('anybody who gets the file');
    expect((await stat(settings)).mode & 0o777).toBe(0o600);
    await user.connect('cursor', '--remove', '--yes');
    expect((await stat(settings)).mode & 0o777).toBe(0o644);

    const options = { ...user.options, cwd: join(user.folder, 'work') };
    const args = ['connect', 'cursor', '--project', '--http', '3917', '--yes'];
    expect((await pegboard(args, options)).stderr).toContain('anybody who gets the file');
    expect((await stat(join(user.folder, 'work/.cursor/mcp.json'))).mode & 0o777).toBe(0o600);
  });

  test('leaves alone what is not its own, and what it does not understand', async () => {
    const files = {
      '.cursor/mcp.json': '{"mcpServers": {"pegboard": {"command": "other"}}}',
      '.gemini/settings.json': '{"mcpServers": ',
      '.codex/config.toml': 'mcp_servers = { other = { command = "x" } }\n',
      '.claude.json': '{"mcpServers": []}',
      '.codeium/windsurf/mcp_config.json': '[]',
    };
    await using user = await openUser(files);
    const said = {
      cursor: "isn't Pegboard",
      gemini: 'invalid JSON at line 1',
      codex: 'is an inline table in line 1',
      'claude-code': 'its mcpServers is not an object',
      windsurf: 'holds no settings',
    };
    for (const [id, message] of Object.entries(said)) {
      const { code, stderr } = await user.connect(id, '--yes');
      expect({ id, code, stderr }).toEqual({
        id,
        code: 2,
        stderr: expect.stringContaining(message) as string,
      });
    }
    expect((await user.connect('cursor', '--remove', '--yes')).stderr).toContain("isn't Pegboard");
    expect(await user.connect('cursor', '--name', 'mine', '--yes')).toMatchObject({ code: 0 });
    for (const [file, text] of Object.entries(files).slice(1)) expect(await user.read(file)).toBe(text);
    expect((await user.connect('curser')).stderr).toContain('Did you mean cursor?');
  });

  test('keeps links and rights of a file, and a change that came later', async () => {
    await using user = await openUser({ 'dotfiles/zed.json': '{ "a": 1 }\n', '.config/zed/keep': '' });
    await symlink('../../dotfiles/zed.json', join(user.folder, '.config/zed/settings.json'));
    await chmod(join(user.folder, 'dotfiles/zed.json'), 0o640);
    await user.connect('zed', '--yes');
    expect((await lstat(join(user.folder, '.config/zed/settings.json'))).isSymbolicLink()).toBe(true);
    expect((await stat(join(user.folder, 'dotfiles/zed.json'))).mode & 0o777).toBe(0o640);
    const changed = (await user.read('dotfiles/zed.json')).replace('"a": 1', '"a": 2 /* mine */');
    await writeFile(join(user.folder, 'dotfiles/zed.json'), changed);
    await user.connect('zed', '--remove', '--yes');
    const left = await user.read('dotfiles/zed.json');
    expect(left).toContain('"a": 2 /* mine */');
    expect(left).not.toContain('pegboard');
  });

  test('--project writes into the project, where the client reads it', async () => {
    await using user = await openUser({ 'work/.vscode/settings.json': '{}' });
    const options = { ...user.options, cwd: join(user.folder, 'work') };
    expect(await pegboard(['connect', 'vscode', '--project', '--yes'], options)).toMatchObject({ code: 0 });
    expect(JSON.parse(await user.read('work/.vscode/mcp.json'))).toHaveProperty(
      'servers.pegboard.type',
      'stdio',
    );
    const none = await pegboard(['connect', 'windsurf', '--project', '--yes'], options);
    expect(none.stderr).toContain('no settings of its own in a project');
  });

  test('works from a clone as from an installed package', async () => {
    for (const entry of [cloneEntry, packageEntry()]) {
      await using user = await openUser();
      const said = await pegboardJson<{ entry: { args: string[] } }>(['connect', 'cursor', '--yes'], {
        ...user.options,
        entry,
      });
      expect(said.entry.args[0]).toBe(entry);
    }
  });
});

test('each client has its file where it looks for it, on every system', () => {
  const at = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv = {}): Record<string, string> => {
    const places = { userHome: '/u', project: '/p', platform, environment };
    return Object.fromEntries(
      Object.entries(knownClients).map(([id, client]) => [id, fileOf(client, places, 'user')!.path]),
    );
  };
  expect(at('darwin')).toMatchObject({
    'claude-desktop': '/u/Library/Application Support/Claude/claude_desktop_config.json',
    vscode: '/u/Library/Application Support/Code/User/mcp.json',
    zed: '/u/.config/zed/settings.json',
    codex: '/u/.codex/config.toml',
  });
  expect(at('win32', { APPDATA: '/u/AppData/Roaming' })).toMatchObject({
    'claude-desktop': '/u/AppData/Roaming/Claude/claude_desktop_config.json',
    vscode: '/u/AppData/Roaming/Code/User/mcp.json',
    zed: '/u/AppData/Roaming/Zed/settings.json',
    'claude-code': '/u/.claude.json',
  });
  expect(at('linux', { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/d' })).toMatchObject({
    vscode: '/x/Code/User/mcp.json',
    zed: '/x/zed/settings.json',
    opencode: '/x/opencode/opencode.json',
    codex: '/c/config.toml',
    'claude-code': '/d/.claude.json',
  });
});

test('a file that defines servers twice is left unchanged, and both lines are named', async () => {
  const other = '{ "other": { "command": "x" } }';
  for (const [text, key, lines] of [
    [`{\n  "mcpServers": ${other},\n  // more\n  "mcpServers": {}\n}\n`, 'mcpServers', [2, 4]],
    [`{ "mcpServers": {\n "pegboard": {"url":"http://a/mcp"},\n "pegboard": {}} }`, 'pegboard', [2, 3]],
  ] as const) {
    await using user = await openUser({ '.cursor/mcp.json': text });
    const { code, stdout, stderr } = await user.connect('cursor', '--yes');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [first, second] = lines.map((line) => `${user.folder}/.cursor/mcp.json:${line}`);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `"${key}" occurs more than once in one object: ${first} and ${second}.`,
    );
    expect(await user.read('.cursor/mcp.json')).toBe(text);
  }
});
