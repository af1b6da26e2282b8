import { chmod, mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listen } from '../../../../host/testing/http-server.ts';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { openRegistryServer, type Published } from '../../../kit/mcp/mcp-registry.ts';
import { startOnTerminal } from '../../../kit/pty.ts';

const stdio = { type: 'stdio' };
const npm = (more: object = {}): object => ({
  registryType: 'npm',
  identifier: '@acme/weather-mcp',
  version: '1.2.3',
  transport: stdio,
  ...more,
});
const weather: Published = {
  name: 'io.github.acme/weather',
  version: '1.2.3',
  description: 'Weather and forecasts',
  repository: { url: 'https://github.com/acme/weather', source: 'github' },
  packages: [
    npm({
      packageArguments: [
        { type: 'named', name: '--units', default: 'metric', choices: ['metric', 'imperial'] },
        { type: 'positional', valueHint: 'city', isRequired: true, description: 'Where' },
      ],
      environmentVariables: [
        { name: 'WEATHER_KEY', description: 'From acme.example', isRequired: true, isSecret: true },
        { name: 'LOG_LEVEL', default: 'info' },
        { name: 'WEATHER_URL', default: 'https://weather.example' },
        { name: 'WEATHER_PROXY' },
      ],
    }),
    { registryType: 'oci', identifier: 'docker.io/acme/weather:1.2.3', transport: stdio },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{region}.acme.example/mcp',
      variables: { region: { default: 'eu', choices: ['eu', 'us'] } },
      headers: [
        {
          name: 'Authorization',
          value: 'Bearer {token}',
          variables: { token: { isRequired: true, isSecret: true } },
        },
      ],
    },
  ],
};
const many = ['git', 'github', 'gitlab', 'gitea', 'gitolite'].map((name) => ({
  name: `io.example/${name}`,
  version: '1.0.0',
  packages: [npm({ identifier: `${name}-mcp`, version: '1.0.0' })],
}));

/** A PATH on which npx exits immediately, so that no test waits for a registry on the network. */
async function withoutNpx(home: TestHome): Promise<{ readonly PATH: string }> {
  await chmod(await home.write('bin/npx', '#!/bin/sh\nexit 9\n'), 0o755);
  return { PATH: `${join(home.path, 'bin')}${delimiter}${process.env['PATH']}` };
}

interface Listed {
  readonly servers: readonly { readonly name: string; readonly from: readonly string[] }[];
}

describe('pegboard mcp search', () => {
  test('finds servers by words, over all pages, and says how they run', async () => {
    await using registry = await openRegistryServer([weather, ...many]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const found = await pegboardJson<Listed>(['mcp', 'search', 'git'], { home: home.path });
    const names = found.servers.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...many, weather].map(({ name }) => name).toSorted());
    // Servers with the word in their name come first, and "io.github" doesn't count.
    expect([names[0], names.at(-1)]).toEqual(['io.example/git', 'io.github.acme/weather']);
    const { stdout } = await pegboard(['mcp', 'search', 'weather', 'acme'], { home: home.path });
    expect(stdout).toMatch(/io\.github\.acme\/weather +1\.2\.3 +npm, oci, remote +Weather and forecasts/);
  });

  test('reads a file as well, from the home or where --registry says', async () => {
    await using home = await createHome({
      'pegboard.yaml': 'mcpRegistry: servers.json\n',
      'servers.json': JSON.stringify({ servers: [{ server: weather }] }),
      'one.json': JSON.stringify({ ...weather, name: 'io.other/weather' }),
    });
    const own = await pegboardJson<Listed>(['mcp', 'search', 'weather'], { home: home.path });
    expect(own.servers.map(({ name }) => name)).toEqual(['io.github.acme/weather']);
    const given = await pegboardJson<Listed>(['mcp', 'search', 'weather', '--registry', 'one.json'], {
      home: home.path,
      cwd: home.path,
    });
    expect(given.servers.map(({ name }) => name)).toEqual(['io.other/weather']);
  });
});

describe('pegboard mcp add NAME', () => {
  test('shows what will run, and writes it with variables that are still to be set', async () => {
    await using registry = await openRegistryServer([weather, ...many]);
    await using home = await createHome({ 'pegboard.yaml': `# mine\nmcpRegistry: ${registry.url}\n` });
    const args = ['mcp', 'add', 'io.github.acme/weather', '--arg', 'city=Lisbon'];
    const asked = await pegboard(args, { home: home.path });
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('npx -y @acme/weather-mcp@1.2.3 --units metric Lisbon');
    expect(asked.stderr).toContain('your WEATHER_KEY, which is not set: From acme.example');
    expect(asked.stderr).toContain('--from oci: docker.io/acme/weather:1.2.3');
    expect(asked.stderr).toContain('https://github.com/acme/weather');
    expect(await home.read('pegboard.yaml')).toBe(`# mine\nmcpRegistry: ${registry.url}\n`);

    const added = await pegboard([...args, '--yes'], { home: home.path });
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).toContain('pegboard secret set WEATHER_KEY');
    expect(await home.read('pegboard.yaml')).toBe(`# mine
mcpRegistry: ${registry.url}
mcpServers:
  weather:
    command: npx
    args:
      - -y
      - "@acme/weather-mcp@1.2.3"
      - --units
      - metric
      - Lisbon
    env:
      WEATHER_KEY: \${WEATHER_KEY}
      LOG_LEVEL: info
`);
    const again = await pegboard([...args, '--yes'], { home: home.path });
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain('--as NAME');
  });

  test.each([
    'NPM_CONFIG_SCRIPT_SHELL',
    'Npm_Config_Registry',
    'UV_INDEX_URL',
    'DOCKER_HOST',
    'HTTPS_PROXY',
    'SHELL',
    'ANYTHING_ELSE',
  ])('sets no %s for a publisher: only its owner can', async (name) => {
    const proposed = { name, value: '/tmp/of-the-publisher' };
    const optional = { name: `${name}_2`, default: '/tmp/of-the-publisher' };
    const packages = [npm({ environmentVariables: [proposed, optional] })];
    await using registry = await openRegistryServer([{ name: 'io.acme/sets', version: '1.0.0', packages }]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const env = await withoutNpx(home);
    const add = ['mcp', 'add', 'io.acme/sets', '--yes'];
    const { stderr } = await pegboard(add, { home: home.path, env });
    expect(stderr).toContain('Its publisher proposes "/tmp/of-the-publisher".');
    expect(await home.read('pegboard.yaml')).not.toContain('/tmp/of-the-publisher');
    await pegboard([...add, '--as', 'own', '--env', `${name}=mine`], { home: home.path, env });
    expect(await home.read('pegboard.yaml')).toContain(`${name}: mine`);
  });

  test('takes another of its packages, or its address', async () => {
    await using registry = await openRegistryServer([weather]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const add = (...more: string[]): Promise<{ readonly code: number | null; readonly stderr: string }> =>
      pegboard(['mcp', 'add', 'io.github.acme/weather', '--yes', ...more], { home: home.path });
    expect(await add('--from', 'oci', '--as', 'boxed')).toMatchObject({ code: 1 });
    expect(await add('--from', 'remote', '--as', 'far', '--arg', 'region=us')).toMatchObject({ code: 0 });
    const text = await home.read('pegboard.yaml');
    expect(text).toContain('command: docker');
    expect(text).toMatch(/- run\n +- -i\n +- --rm\n +- docker\.io\/acme\/weather:1\.2\.3/);
    expect(text).toContain('url: https://us.acme.example/mcp');
    expect(text).toContain('Authorization: Bearer ${MCP_FAR_TOKEN}');
    const wrong = await add('--from', 'remote', '--as', 'b', '--arg', 'region=mars');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('region must be one of eu, us');
    expect((await add('--as', 'b', '--arg', 'nothing=1')).stderr).toContain('has no "nothing" to fill in');
    expect((await add('--as', 'b', '--from', 'nuget')).stderr).toContain('nothing for --from nuget');
  });

  test('lists what may be meant where a name is not clear, and takes a short one that is', async () => {
    const twin = { ...weather, name: 'com.other/weather' };
    await using registry = await openRegistryServer([weather, twin, ...many]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const add = (...args: string[]): Promise<{ readonly code: number | null; readonly stderr: string }> =>
      pegboard(['mcp', 'add', ...args], { home: home.path });
    const two = await add('weather');
    expect(two.code).toBe(2);
    expect(two.stderr).toMatch(/io\.github\.acme\/weather[^]*com\.other\/weather|com\.other[^]*acme/);
    expect(two.stderr).toContain('2 servers called "weather"');
    const one = await add('gitlab');
    expect(one.code).toBe(3);
    expect(one.stderr).toContain('npx -y gitlab-mcp@1.0.0');
    // With --yes, the full name is required.
    expect(await add('gitlab', '--yes')).toMatchObject({ code: 2 });
    const none = await add('io.example/git-lab');
    expect(none).toMatchObject({ code: 2 });
    expect((await add('git@9.9.9')).code).toBe(2);
    expect(await home.read('pegboard.yaml')).toBe(`mcpRegistry: ${registry.url}\n`);
  });

  test('asks at a terminal for what is required, then for a Yes', async () => {
    await using registry = await openRegistryServer([weather]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    await using terminal = startOnTerminal(['mcp', 'add', 'weather'], { home: home.path });
    await terminal.next(/city/);
    terminal.child.stdin.write('Porto\r');
    await terminal.next(/to run with your rights\?/);
    terminal.child.stdin.write('y');
    await terminal.ended;
    expect(await home.read('pegboard.yaml')).toContain('- Porto');
  });

  test('connects at once where nothing is missing, and the server goes through the normal approval', async () => {
    const everything: Published = {
      name: 'io.modelcontextprotocol/everything',
      version: '2026.8.31',
      packages: [npm({ identifier: '@modelcontextprotocol/server-everything', version: '2026.8.31' })],
    };
    await using registry = await openRegistryServer([everything]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    // A replacement of npx without a network: it runs the local package.
    const bin = join(home.path, 'bin');
    await mkdir(bin);
    await home.write(
      'npx.mjs',
      `#!${process.execPath}\nif (process.argv[3] !== '@modelcontextprotocol/server-everything@2026.8.31') process.exit(9);\nprocess.argv.splice(2);\nawait import(${JSON.stringify(join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js'))});\n`,
    );
    await chmod(join(home.path, 'npx.mjs'), 0o755);
    await symlink('../npx.mjs', join(bin, 'npx'));
    const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const added = await pegboard(['mcp', 'add', everything.name, '--yes'], { home: home.path, env });
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).toContain('connected: everything offers');
    const call = await pegboard(['call', 'everything.echo', 'message=hi'], { home: home.path, env });
    expect(call).toMatchObject({ code: 0, stdout: 'Echo: hi\n' });
  });
});

describe('a hostile registry', () => {
  const refused: readonly (readonly [string, object, string])[] = [
    ['an option for a name', npm({ identifier: '--package=evil' }), 'is not a valid package name'],
    ['a name with a command', npm({ identifier: 'x; rm -rf /' }), 'is not a valid package name'],
    [
      'an option for a version',
      npm({ version: '1.0.0 --node-options=x' }),
      "it doesn't name a single version",
    ],
    ['a range', npm({ version: '^1.2.3' }), "it doesn't name a single version"],
    ['whatever is newest', npm({ version: 'latest' }), "it doesn't name a single version"],
    ['no version', npm({ version: undefined }), "it doesn't name a single version"],
    ['another registry', npm({ registryBaseUrl: 'https://evil.example' }), 'not the usual registry'],
    [
      'an option for npx',
      npm({ runtimeArguments: [{ type: 'named', name: '--node-options', value: '--import=x' }] }),
      'which a publisher may not set',
    ],
    [
      'a variable that steers the loader',
      npm({ environmentVariables: [{ name: 'NODE_OPTIONS', value: '--import=data:x' }] }),
      'decides what code runs',
    ],
    [
      "a variable of the owner's",
      npm({ environmentVariables: [{ name: 'X', value: '${OPENAI_API_KEY}' }] }),
      'refers to a variable',
    ],
    [
      'a reference in two halves',
      npm({
        environmentVariables: [
          {
            name: 'MCP_X',
            value: '{a}{b}',
            variables: { a: { default: '$' }, b: { default: '{OPENAI_API_KEY}' } },
          },
        ],
      }),
      'refers to the variable OPENAI_API_KEY',
    ],
    [
      'hidden characters',
      npm({ packageArguments: [{ type: 'positional', value: 'a\u202Eb' }] }),
      'is invisible',
    ],
    [
      'the whole disk for a container',
      {
        registryType: 'oci',
        identifier: 'docker.io/acme/x:1.0.0',
        transport: stdio,
        runtimeArguments: [{ type: 'named', name: '-v', value: '/:/host' }],
      },
      'which a publisher may not set',
    ],
    [
      'a mount in disguise',
      {
        registryType: 'oci',
        identifier: 'docker.io/acme/x:1.0.0',
        transport: stdio,
        runtimeArguments: [
          {
            type: 'named',
            name: '--mount',
            value: 'type=bind,src={from},dst={to}',
            variables: { from: { isRequired: true }, to: { default: '/project,src=/' } },
          },
        ],
      },
      'which a publisher may not set',
    ],
    [
      'a container with all rights',
      { registryType: 'oci', identifier: '--privileged', transport: stdio },
      'is not a valid package name',
    ],
    ...['1', '1.2', 'beta1', '1-2', '^1.0.0'].map((version): (typeof refused)[number] => [
      `npm's range or tag ${version}`,
      npm({ version }),
      "doesn't name a single version",
    ]),
    [
      'a tag of an image that moves',
      { registryType: 'oci', identifier: 'acme/x:1', transport: stdio },
      "doesn't name a single version",
    ],
    [
      'an image without a tag',
      { registryType: 'oci', identifier: 'acme/x', transport: stdio },
      "doesn't name a single version",
    ],
    ...['evil.example/acme/x', 'localhost/x', 'ghcr.io:444/acme/x', 'a.ghcr.io/x', '10.0.0.1:5000/x'].map(
      (image): (typeof refused)[number] => [
        `an image from ${image}`,
        { registryType: 'oci', identifier: `${image}:1.0.0`, transport: stdio },
        'images are only accepted from docker.io',
      ],
    ),
    [
      'a bundle',
      { registryType: 'mcpb', identifier: 'https://x.example/y.mcpb', transport: stdio },
      'Pegboard runs',
    ],
    ['wrong types', { registryType: 'npm', identifier: 7, version: ['1'] }, 'malformed'],
    ['arguments of a wrong type', npm({ packageArguments: 'rm -rf /' }), 'malformed'],
  ];
  test.for(refused)('is not obeyed: %s', async ([, pkg, reason]) => {
    await using registry = await openRegistryServer([
      { name: 'io.evil/x', version: '1.0.0', packages: [pkg] },
    ]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const { code, stderr } = await pegboard(['mcp', 'add', 'io.evil/x', '--yes'], { home: home.path });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(reason) as string });
    expect(await home.read('pegboard.yaml')).toBe(`mcpRegistry: ${registry.url}\n`);
  });

  test.for([
    ['http://plain.example/mcp', 'not an https address'],
    ['http://127.0.0.1:3917/mcp', 'not an https address'],
    ['http://localhost/mcp', 'not an https address'],
    ['http://[::1]:8080/mcp', 'not an https address'],
    ['http://{host}/mcp', 'not an https address'],
    ['https://x.example/${OPENAI_API_KEY}', 'refers to a variable'],
    ['javascript:alert(1)', 'not an https address'],
    ['https://localhost:4801/mcp', 'not a public name'],
    ['https://localhost./mcp', 'not a public name'],
    ['https://x.localhost/mcp', 'not a public name'],
    ['https://printer/mcp', 'not a public name'],
    ['https://nas.local/mcp', 'not a public name'],
    ['https://metadata.google.internal/mcp', 'not a public name'],
    ['https://169.254.169.254/latest', 'not a public name'],
    ['https://0x7f.1/mcp', 'not a public name'],
    ['https://2130706433/mcp', 'not a public name'],
    ['https://[::1]/mcp', 'not a public name'],
    ['https://[::ffff:10.0.0.1]/mcp', 'not a public name'],
    ['https://{self}/mcp', 'not a public name'],
    ['https://github.com@evil.example/mcp', 'leads to evil.example'],
    ['https://a:b@evil.example/mcp', 'leads to evil.example'],
    ['https://@evil.example/mcp', 'leads to evil.example'],
  ] as const)('is not obeyed: the address %s', async ([url, reason]) => {
    await using registry = await openRegistryServer([
      {
        name: 'io.evil/x',
        version: '1.0.0',
        remotes: [{ type: 'streamable-http', url, variables: { self: { default: 'localhost' } } }],
      },
    ]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const { code, stderr } = await pegboard(['mcp', 'add', 'io.evil/x', '--yes'], { home: home.path });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(reason) as string });
    expect(stderr).toContain('pegboard mcp add x URL');
    expect(stderr).not.toContain('after --');
  });

  test.for(['^1.0.0', '*', '', '1.0.0 || 2'])(
    'is refused with the reason: a server of version "%s"',
    async (version) => {
      await using home = await createHome();
      const file = await home.write(
        'registry.json',
        JSON.stringify({
          servers: [{ server: { name: 'io.evil/x', version, packages: [npm({ version: undefined })] } }],
        }),
      );
      const { code, stderr } = await pegboard(['mcp', 'add', 'io.evil/x', '--yes', '--registry', file], {
        home: home.path,
      });
      expect({ code, stderr }).toEqual({
        code: 3,
        stderr: expect.stringMatching(/not a single version|no version of its own/) as string,
      });
    },
  );

  test('names a package without a version by its name', async () => {
    await using registry = await openRegistryServer([
      { name: 'io.evil/x', version: '1.0.0', packages: [npm({ version: undefined })] },
    ]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const { stderr } = await pegboard(['mcp', 'add', 'io.evil/x', '--yes'], { home: home.path });
    expect(stderr).toContain("npm @acme/weather-mcp: it doesn't name a single version");
  });

  test('writes nothing to a terminal that it would obey', async () => {
    await using registry = await openRegistryServer([
      { ...weather, description: 'nice\u001b]0;owned\u0007\u001b[2J\u202E', title: 'x\u001b[31m' },
    ]);
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${registry.url}\n` });
    const found = await pegboard(['mcp', 'search', 'weather'], { home: home.path });
    const shown = await pegboard(['mcp', 'add', 'io.github.acme/weather'], { home: home.path });
    expect(found.stdout).toContain('nice');
    // eslint-disable-next-line no-control-regex
    expect(`${found.stdout}${shown.stderr}`).not.toMatch(/[\u0007\u001b\u202E]/);
  });

  test.for([
    ['an endless answer', 'answers with more than 8 MB'],
    ['no JSON', "doesn't respond like a registry"],
    ['another JSON', "doesn't respond like a registry"],
    ['an error', 'answers with 500'],
  ] as const)('ends the search alone: %s', async ([kind, message]) => {
    await using server = await listen((_, response) => {
      response.on('error', () => {});
      if (kind === 'an error') return response.writeHead(500).end('\u001b[31mbroken');
      response.writeHead(200, { 'content-type': 'application/json' });
      if (kind === 'no JSON') return response.end('<html>');
      if (kind === 'another JSON') return response.end('[1, {"servers": 7}]');
      const chunk = '{"servers": ['.padEnd(1024 * 1024);
      const go = (): void => void (response.destroyed || response.write(chunk, () => setImmediate(go)));
      return go();
    });
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${server.url}\n` });
    const { code, stderr } = await pegboard(['mcp', 'search', 'x'], { home: home.path });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) as string });
  });

  test('goes round in circles, with entries of wrong types, and is left', async () => {
    let requests = 0;
    await using server = await listen((_, response) => {
      requests++;
      response.writeHead(200, { 'content-type': 'application/json' });
      const servers = [null, 7, { server: { name: 7 } }, { server: { name: 'io.a/x', version: '1.0.0' } }];
      response.end(JSON.stringify({ servers, metadata: { nextCursor: `c${requests}` } }));
    });
    await using home = await createHome({ 'pegboard.yaml': `mcpRegistry: ${server.url}\n` });
    const found = await pegboardJson<Listed>(['mcp', 'search', 'x'], { home: home.path });
    expect(found.servers.map(({ name }) => name)).toEqual(['io.a/x']);
    expect(requests).toBeLessThan(20);
  });
});
