import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  modelsOf,
  startScriptedModel,
  type Script,
  type ScriptedModel,
} from '../../../host/testing/index.ts';
import { pegboard, type CliOptions } from '../../kit/cli.ts';
import { anna, startFakeBotApi, type FakeBotApi } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, manifest, type TestHome } from '../../kit/homes/home.ts';
import { listenAsMcp } from '../../kit/mcp/mcp-json-server.ts';
import { fixture } from '../../kit/mcp/mcp-source.ts';
import type { Canaries } from './scan.ts';

/** A home with a different secret in every place where one can be, and tools that reveal all of them. */
export interface PlantedHome extends AsyncDisposable {
  readonly home: TestHome;
  readonly model: ScriptedModel;
  readonly telegram: FakeBotApi;
  readonly canaries: Canaries;
  /** Environment for processes on this home. */
  readonly cli: Required<Pick<CliOptions, 'home' | 'env'>>;
}

const places = [
  'stored',
  'synced',
  'environment',
  'literal',
  'openai',
  'otherprovider',
  'mcpenv',
  'mcpvariable',
  'mcpargument',
  'mcpheader',
  'oauthaccess',
  'oauthrefresh',
  'credential',
  'bearer',
  'dotenv',
  'password',
  'passphrase',
  'bystander',
  'toldtoagent',
] as const;

/** With every kind of character that a header can contain. */
function createCanary(place: string): string {
  const random = createHash('sha256').update(place).digest('base64').slice(0, 22);
  return `canary.${place}.${random}/+~=${random.slice(0, 5)}`;
}

export async function openPlantedHome(script: Script): Promise<PlantedHome> {
  await using opened = new AsyncDisposableStack();
  const canaries = Object.fromEntries(places.map((place) => [place, createCanary(place)])) as {
    [place in (typeof places)[number]]: string;
  };
  const botToken = '987654:canary-telegram-AAHx8sQ2';
  const model = opened.use(await startScriptedModel(script));
  const telegram = opened.use(await startFakeBotApi(botToken));
  const remote = opened.use(
    await listenAsMcp(({ id }, response, { headers }) => {
      const content = [{ type: 'text', text: JSON.stringify(headers) }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
    }),
  );
  const login = JSON.stringify({
    url: 'https://tickets.example/mcp',
    tokens: {
      access_token: canaries.oauthaccess,
      refresh_token: canaries.oauthrefresh,
      token_type: 'bearer',
    },
  });
  const tell = await readFile(join(import.meta.dirname, 'planted/tell.mjs'), 'utf8');
  const tells = fixture('tells', '${MCP_ARGUMENT_TOKEN}');
  const home = opened.use(
    await createHome({
      'pegboard.yaml': JSON.stringify({
        models: {
          ...modelsOf(model),
          providers: {
            ...modelsOf(model).providers,
            other: { base_url: model.baseUrl, api_key: canaries.otherprovider },
          },
        },
        mcpServers: {
          local: { ...tells, env: { SERVICE_KEY: canaries.mcpenv, OTHER: '${MCP_VARIABLE}' } },
          remote: { url: remote.url, headers: { Authorization: `Bearer ${canaries.mcpheader}` } },
          tickets: { url: 'https://tickets.example/mcp', enabled: false },
        },
        serve: { token: canaries.bearer },
      }),
      '.env': `# for the tools\nDATABASE_PASSWORD="${canaries.dotenv}"\n`,
      'data/mcp/oauth/tickets.json': login,
      'spaces/work/space.manifest.json': '{"id":"work","name":"Work","description":"Work"}',
      'spaces/work/agent/agent.yaml':
        'id: work\nname: Work\nrole: coordinator\ntools:\n  modules:\n    work: { credential: AGENT_CREDENTIAL }\n    core: {}\n    notes: {}\n    local: {}\n    remote: {}\n    filesystem: {}\n',
      'spaces/work/tell.mjs': tell,
      'spaces/work/agent/tools/tell.md': manifest(
        'tell',
        [
          'parameters: [{ name: how, type: string, description: How, required: true }]',
          `command: ${process.execPath} tell.mjs {{how}}`,
          'environment:',
          '  FROM_STORE: ${STORED_VALUE}',
          '  FROM_EXT: ${SYNCED}',
          '  FROM_ENVIRONMENT: ${NAMED_BY_A_MANIFEST}',
          `  API_PASSWORD: ${canaries.literal}`,
          '  HOME_FOLDER: ${PLANTED_HOME}',
        ].join('\n'),
      ),
      'spaces/work/agent/tools/tell-json.md': manifest(
        'tell-json',
        `command: ${process.execPath} tell.mjs json\noutput: json\nenvironment:\n  FROM_STORE: \${STORED_VALUE}`,
      ),
      'spaces/work/agent/tools/login.md': manifest(
        'login',
        'parameters:\n  - { name: user, type: string, description: Who, required: true }\n  - { name: password, type: string, description: With, required: true }\ncommand: echo {{user}} came with {{password}}',
      ),
    }),
  );
  const env = {
    PLANTED_HOME: home.path,
    PEGBOARD_PASSPHRASE: canaries.passphrase,
    OPENAI_API_KEY: canaries.openai,
    OPENAI_BASE_URL: model.baseUrl,
    EXT_SYNCED: canaries.synced,
    NAMED_BY_A_MANIFEST: canaries.environment,
    MCP_VARIABLE: canaries.mcpvariable,
    MCP_ARGUMENT_TOKEN: canaries.mcpargument,
    TELEGRAM_BOT_TOKEN: botToken,
    TELEGRAM_API_ROOT: telegram.root,
    ALLOWED_TELEGRAM_IDS: String(anna.id),
    /** Secrets unrelated to the home, such as those of CI and shells. */
    SOME_CI_ACCESS_TOKEN: canaries.bystander,
    TIMEZONE: 'UTC',
    PEGBOARD_DEBUG: '1',
  };
  const cli = { home: home.path, env };
  for (const [name, value] of [
    ['STORED_VALUE', canaries.stored],
    ['AGENT_CREDENTIAL', canaries.credential],
  ] as const) {
    const { code, stderr } = await pegboard(['secret', 'set', name], { ...cli, input: value });
    if (code !== 0) throw new Error(stderr);
  }
  for (const tool of ['work.tell', 'work.tell-json']) {
    const { code, stderr } = await pegboard(['approvals', 'allow', tool], cli);
    if (code !== 0) throw new Error(stderr);
  }
  const owned = opened.move();
  return {
    home,
    model,
    telegram,
    canaries: { ...canaries, telegram: botToken },
    cli,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
