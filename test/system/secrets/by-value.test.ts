import { expect, test } from 'vitest';
import { pegboard } from '../../kit/cli.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

const say = manifest(
  'say',
  'parameters: [{ name: text, type: string, required: true }]\ncommand: echo {{text}}',
);
const canary = 'qX7-canary_9fK2+mZ/04';

const login = {
  url: 'https://tickets.example/mcp',
  tokens: {
    access_token: `${canary}oauth`,
    refresh_token: `${canary}refresh`,
    token_type: 'Bearer',
    scope: 'read',
  },
  client: { client_id: 'pegboard', token_endpoint_auth_method: 'client_secret_post' },
  discovery: {
    authorizationServerUrl: 'https://login.example.com/',
    authorizationServerMetadata: {
      authorization_endpoint: 'https://login.example.com/authorize',
      token_endpoint: 'https://login.example.com/token',
    },
  },
};

test('after a login words and addresses stay as they are, and its tokens go', async () => {
  await using home = await createHome({
    'spaces/s/agent/tools/say.md': say,
    'data/mcp/oauth/tickets.json': JSON.stringify(login),
  });
  const env = { DEFAULT_TOKEN_BUDGET: '200000', GITHUB_TOKEN_TYPE: 'personal' };
  const harmless =
    'Bearer client_secret_post https://login.example.com/authorize https://login.example.com/token 200000 personal';
  const text = `${harmless} ${canary}oauth ${canary}refresh`;
  const { stdout } = await pegboard(['call', 'say', `text=${text}`], { home: home.path, env });
  expect(stdout).toBe(
    `${harmless} [secret tickets.json tokens access_token] [secret tickets.json tokens refresh_token]\n`,
  );
});

test('what the owner stores is a secret, whatever it looks like', async () => {
  await using home = await createHome({ 'spaces/s/agent/tools/say.md': say });
  await pegboard(['secret', 'set', 'CITY'], { home: home.path, input: 'Lisbon' });
  const { stdout } = await pegboard(['call', 'say', 'text=to Lisbon'], { home: home.path });
  expect(stdout).toBe('to [secret CITY]\n');
});

test.for([
  [`API_KEY="${canary}" # for the tools`],
  [`API_KEY='${canary}'   # for the tools`],
  [`  export API_KEY=${canary}`],
  [`# first\r\nAPI_KEY=${canary}\r\n`],
  [`A=1\nAPI_KEY="${canary}\nsecond line of it"\n`, `${canary}\nsecond line of it`],
  [`API_KEY=\`${canary}\``],
])('%j in .env is a secret', async ([text, value = canary]) => {
  await using home = await createHome({ 'spaces/s/agent/tools/say.md': say, '.env': text! });
  const { stdout } = await pegboard(['call', 'say', `text=it is ${value} as told`], { home: home.path });
  expect(stdout).toBe('it is [secret API_KEY] as told\n');
});
