import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { listen } from '../../../../host/testing/http-server.ts';
import { lockHome } from '../../../../host/store/files/home-lock.ts';
import { pegboard, pegboardJson, type CliResult } from '../../../kit/cli.ts';
import { startFakeDiscord } from '../../../kit/discord/fake-discord.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';
import { startFakeBotApi, type FakeBotApi } from '../../../kit/telegram/fake-bot-api.ts';

const nothing = {
  OPENAI_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
  OPENROUTER_API_KEY: undefined,
  ANTHROPIC_API_KEY: undefined,
  PEGBOARD_MODEL: undefined,
  TELEGRAM_BOT_TOKEN: undefined,
  // Nothing listens there.
  OLLAMA_HOST: 'http://127.0.0.1:9',
};

const ada = { id: 1001, is_bot: false, first_name: 'Ada', username: 'ada' };

const secretsOf = async (home: TestHome): Promise<readonly string[]> =>
  (
    await pegboardJson<{ secrets: readonly { name: string }[] }>(['secret', 'list'], { home: home.path })
  ).secrets.map(({ name }) => name);
const configOf = (home: TestHome): Promise<string> => readFile(join(home.path, 'pegboard.yaml'), 'utf8');

const setUpWith = (
  args: readonly string[],
  home: TestHome,
  { input = '', bot }: { readonly input?: string; readonly bot?: FakeBotApi } = {},
): Promise<CliResult> =>
  pegboard(['setup', '--yes', ...args], {
    home: home.path,
    input,
    env: { ...nothing, ...(bot && { TELEGRAM_API_ROOT: bot.root }) },
  });

test('options alone connect a model with a key, and it answers', async () => {
  await using model = await startScriptedModel(() => ({ text: 'Hello there.' }));
  await using home = await createHome({ 'pegboard.yaml': '# mine\nname: mine\n' });
  const args = ['--base-url', model.baseUrl, '--model', 'small', '--model-key-stdin'];
  expect(await setUpWith(args, home, { input: 'sk-very-secret\n' })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/own\/small answers/) as string,
  });
  expect(await configOf(home)).not.toContain('sk-very-secret');
  expect(await configOf(home)).toContain('# mine');
  expect(await secretsOf(home)).toEqual(['OWN_MODEL_KEY']);
  const answered = await pegboard(['chat', 'Hi'], { home: home.path, env: nothing });
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello there.') as string });
});

test('another address gets no key of the one before, and the same one keeps it', async () => {
  await using model = await startScriptedModel(() => ({ text: 'ok' }), { apiKey: 'right-key' });
  await using other = await startScriptedModel(() => ({ text: 'ok' }));
  await using home = await createHome();
  const at = (baseUrl: string): readonly string[] => ['--base-url', baseUrl, '--model', 'small'];
  await setUpWith([...at(model.baseUrl), '--model-key-stdin'], home, { input: 'right-key' });
  expect(await setUpWith(at(model.baseUrl), home)).toMatchObject({ code: 0 });
  expect(await secretsOf(home)).toEqual(['OWN_MODEL_KEY']);
  expect(await setUpWith(at(other.baseUrl), home)).toMatchObject({ code: 0 });
  expect(await secretsOf(home)).toEqual([]);
  expect(await configOf(home)).not.toContain('api_key');
});

test('an option that reads stdin says when nothing is there', async () => {
  await using home = await createHome();
  for (const [args, why] of [
    [['--model', 'openai/small', '--model-key-stdin'], '--model-key-stdin: there is no key on stdin'],
    [['--telegram-token-stdin'], '--telegram-token-stdin: there is no token on stdin'],
    [['--model', 'own/x', '--model-key-stdin', '--telegram-token-stdin'], 'can read stdin'],
  ] as const) {
    const { code, stderr } = await setUpWith(args, home);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  }
});

test('what no key can be is refused, and a key that a server repeats is not shown', async () => {
  await using home = await createHome();
  const args = ['--model', 'openai/small', '--model-key-stdin'];
  const twoLines = await setUpWith(args, home, { input: 'sk-good-one\nsecond\n' });
  expect(twoLines).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/give it alone, in one line/) as string,
  });
  expect(twoLines.stderr).not.toContain('sk-good-one');
  await using server = await listen((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'Incorrect API key provided: sk-very-secret' } }));
  });
  const refused = await setUpWith(
    ['--base-url', `${server.url}/v1`, '--model', 'small', '--model-key-stdin'],
    home,
    {
      input: 'sk-very-secret',
    },
  );
  expect(refused.stderr).toMatch(/refused the key[^]*Incorrect API key provided: \[the key\]/);
  expect(refused.stderr).not.toContain('sk-very-secret');
});

test('a model that does not answer is not stored', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'name: mine\n' });
  const args = ['--base-url', 'http://127.0.0.1:2/v1', '--model', 'small', '--model-key-stdin'];
  const { code, stdout, stderr } = await setUpWith(args, home, { input: 'sk-very-secret' });
  expect(stdout).not.toContain('Talk to it');
  expect(code).toBe(1);
  expect(stderr).toMatch(/can't be reached: .* Check the network and --base-url\./);
  expect(await configOf(home)).toBe('name: mine\n');
  expect(await secretsOf(home)).toEqual([]);
});

test('a token is stored when Telegram knows it, and only then', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  for (const [token, why] of [
    ['nonsense', 'This is not a token that @BotFather gives: one looks like 123456:ABC-DEF1234.\n'],
    ['654321:other', 'does not know this TELEGRAM_BOT_TOKEN'],
  ] as const) {
    const refused = await setUpWith(['--telegram-token-stdin'], home, { input: token, bot });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(why);
    expect(await secretsOf(home)).toEqual([]);
  }
  const taken = await setUpWith(['--telegram-token-stdin'], home, { input: `${bot.token}\n`, bot });
  expect(taken).toMatchObject({ code: 0, stderr: expect.stringMatching(/it belongs to @\w+/) as string });
  expect(await secretsOf(home)).toEqual(['TELEGRAM_BOT_TOKEN']);
  // One that is no good leaves the good one in place.
  await setUpWith(['--telegram-token-stdin'], home, { input: '654321:other', bot });
  expect(await secretsOf(home)).toEqual(['TELEGRAM_BOT_TOKEN']);
});

test('a bot on Discord is connected in the same way', async () => {
  await using bot = await startFakeDiscord();
  await using home = await createHome();
  const env = { ...nothing, DISCORD_API_ROOT: bot.root };
  const setUp = (token: string): Promise<CliResult> =>
    pegboard(['setup', '--yes', '--discord-token-stdin'], { home: home.path, input: token, env });
  const unknown = await setUp(bot.token.replace('Fake', 'Else'));
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('does not know') as string });
  expect(await secretsOf(home)).toEqual([]);
  const taken = await setUp(bot.token);
  expect(taken).toMatchObject({ code: 0, stderr: expect.stringMatching(/it belongs to @peg/) as string });
  expect(await secretsOf(home)).toEqual(['DISCORD_BOT_TOKEN']);
});

test.each(['the environment', '.env'])(
  'the token on stdin is tested, and one in %s is named',
  async (place) => {
    await using bot = await startFakeBotApi();
    const bad = '654321:other';
    const inFile = place === '.env';
    await using home = await createHome(inFile ? { '.env': `TELEGRAM_BOT_TOKEN=${bad}\n` } : {});
    const taken = await pegboard(['setup', '--yes', '--telegram-token-stdin'], {
      home: home.path,
      input: bot.token,
      env: { ...nothing, TELEGRAM_API_ROOT: bot.root, ...(!inFile && { TELEGRAM_BOT_TOKEN: bad }) },
    });
    expect(taken).toMatchObject({ code: 0, stderr: expect.stringContaining('it belongs to @') as string });
    const where = inFile ? join(home.path, '.env') : place;
    expect(taken.stderr).toContain(
      `TELEGRAM_BOT_TOKEN is stored, but ${where} has another one, which comes first: remove it there.`,
    );
    // The bot that would answer now is another one.
    expect(taken.stderr).not.toContain('write to the bot');
    expect(await secretsOf(home)).toEqual(['TELEGRAM_BOT_TOKEN']);
  },
);

test('a variable that comes before the stored key is named, unless it has the same key', async () => {
  await using model = await startScriptedModel(() => ({ text: 'ok' }), { apiKey: 'right-key' });
  await using home = await createHome();
  const setUp = (inEnvironment: string): Promise<CliResult> =>
    pegboard(['setup', '--yes', '--model', 'openai/small', '--model-key-stdin'], {
      home: home.path,
      input: 'right-key',
      env: { ...nothing, OPENAI_API_KEY: inEnvironment, OPENAI_BASE_URL: model.baseUrl },
    });
  const { code, stderr } = await setUp('wrong-key');
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('answers') });
  expect(stderr).toContain(
    'OPENAI_API_KEY is stored, but the environment has another one, which comes first',
  );
  expect((await setUp('right-key')).stderr).not.toContain('comes first');
});

test('a model is stored under the name that it is tested with', async () => {
  await using model = await startScriptedModel(() => ({ text: 'ok' }));
  await using home = await createHome();
  expect(await setUpWith(['--base-url', model.baseUrl, '--model', 'own/good'], home)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/ own\/good answers/) as string,
  });
  expect(await configOf(home)).toContain('default: own/good');
  expect(await setUpWith(['--model', 'better'], home)).toMatchObject({ code: 0 });
  expect(await configOf(home)).toContain('default: own/better');
});

test('without a terminal and without options there is nothing to do, and that is said', async () => {
  await using home = await createHome();
  const model = { ...nothing, OPENAI_API_KEY: 'sk-none' };
  for (const args of [['setup', '--yes'], ['setup']]) {
    const { code, stderr } = await pegboard(args, { home: home.path, env: model });
    expect(code).toBe(2);
    expect(stderr).toMatch(/There is nothing to set up: say what with --model, .* or --service/);
  }
});

test('what is not there fails alone: everything else that the options ask for is done', async () => {
  await using home = await createHome();
  await using user = await createHome({
    '.cursor/mcp.json': '{"mcpServers": {"clock": {"command": "clock-mcp"}}}',
  });
  const args = ['setup', '--yes', '--service', '--import', 'hermes', '--import', 'clients', '--self'];
  const { code, stdout, stderr } = await pegboard(args, {
    home: home.path,
    // Without systemctl.
    env: { ...nothing, HOME: user.path, HERMES_HOME: undefined, PATH: '/nowhere' },
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/import hermes: There is no .*\.hermes\. Name its folder: .* import hermes FOLDER/);
  expect(stderr).toMatch(/service: There is no systemd for this user.*service install --dry-run`/s);
  expect(stdout).not.toContain('Talk to it');
  expect(stderr).toMatch(
    /Not set up: import, service\. .* run it again: .*setup --yes, with the options for import, service\n$/,
  );
  expect(await configOf(home)).toMatch(/showTools[^]*self/);
  expect(await configOf(home)).toContain('clock-mcp');
});

test.each([
  [['--skip', 'foo', '--self'], '--skip takes model, telegram, discord, import, self, service, not "foo"'],
  [['--base-url', 'http://127.0.0.1:9/v1'], '--base-url needs --model'],
  [['--model', 'm', '--base-url', 'localhost'], '--base-url is not an address: it begins with http'],
  [
    ['--model', 'm', '--base-url', 'http://u:pw@127.0.0.1:9/v1'],
    '--base-url has a user name or password in it',
  ],
  [['--self', '--model-key-stdin'], '--model-key-stdin needs --model'],
  [['--skip', 'model', '--model', 'own/x'], '--skip model and --model contradict each other'],
  [['--skip', 'telegram', '--telegram-token-stdin'], '--skip telegram and --telegram-token-stdin contradict'],
  [['--skip', 'import', '--import', 'clients'], '--skip import and --import contradict each other'],
  [['--skip', 'self', '--self'], '--skip self and --self contradict each other'],
  [['--skip', 'service', '--service'], '--skip service and --service contradict each other'],
])('the options %j are refused, and nothing is changed', async (args, why) => {
  await using home = await createHome();
  const { code, stderr } = await setUpWith(args, home);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  expect(await configOf(home)).toBe('');
});

test('on a terminal it asks step by step, again after a failure, and each step can be skipped', async () => {
  await using model = await startScriptedModel(() => ({ text: 'ok' }), {
    models: [{ id: 'listed-one' }, { id: 'listed-two' }],
    apiKey: 'right-key',
  });
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  const env = { ...nothing, TELEGRAM_API_ROOT: bot.root };
  await using session = startOnTerminal(['setup'], { home: home.path, env });
  const type = (text: string): boolean => session.child.stdin.write(text);
  await session.next(/Which model answers\?[^]*● Not now/);
  type(`${keys.up}${keys.enter}`);
  await session.next(/Address, up to \/v1/);
  // Back to the choice, which stays where it was.
  type(keys.escape);
  await session.next(/Which model answers\?[^]*● Another address/);
  type(keys.enter);
  await session.next(/Address, up to \/v1/);
  // What can't be right is said before anything else is asked, and can be corrected.
  type(`localhost${keys.enter}`);
  await session.next(/This is not an address: it begins with http/);
  type(`${keys.clearLine}http://127.0.0.1:2/v1${keys.enter}`);
  await session.next(/Nothing answers at http:\/\/127\.0\.0\.1:2\/v1[^]*Address, up to[^]*127\.0\.0\.1:2/);
  type(`${keys.clearLine}${model.baseUrl}${keys.enter}`);
  await session.next(/Key, if it needs one/);
  type(`wrong-key${keys.enter}`);
  // It can be corrected at once; whoever insists goes on with it.
  await session.next(/refuses this key \(401\)[^]*Key, if it needs one \(Enter keeps/);
  type(keys.enter);
  await session.next(/Name of the model there/);
  type(`small${keys.enter}`);
  await session.next(/refused the key\. Check the key\.[^]*Nothing was stored/);
  // What was typed is there again.
  await session.next(/Which model answers\?[^]*● Another address/);
  type(keys.enter);
  await session.next(/Address, up to \/v1[^]*127\.0\.0\.1/);
  type(keys.enter);
  await session.next(/Key, if it needs one \(Enter keeps the one from before\)/);
  type(`right-key${keys.enter}`);
  // What the server lists is offered; another name can be typed.
  await session.next(/Which of its models\?[^]*● listed-one[^]*Another one/);
  type(`${keys.up}${keys.enter}`);
  await session.next(/Name of the model there[^]*small/);
  type(keys.enter);
  await session.next(/own\/small answers/);
  await session.next(/Answer on Telegram too\?[^]*● Not now/);
  type(`${keys.up}${keys.enter}`);
  await session.next(/Token of the bot/);
  type(`${bot.token}${keys.enter}`);
  await session.next(/it belongs to @\w+/);
  await session.next(/Code that the bot sent you/);
  bot.write(ada, 'What is the time?');
  const sent = await bot.until(() => bot.sentTo(ada.id).find(({ text }) => text.includes('telegram pair')));
  type(`WRONG123${keys.enter}`);
  await session.next(/Nobody waits with the code[^]*Code that the bot sent you/);
  type(`${/pair (\w{8})/.exec(sent.text)![1]!}${keys.enter}`);
  await session.next(/Ada \(@ada\) may talk to the bot/);
  await session.next(/Answer on Discord too\?[^]*● Not now/);
  type(keys.enter);
  await session.next(/Keep it running/);
  expect(bot.sentTo(ada.id).map(({ text }) => text)).toContain('ok');
  expect((await session.ended).code).toBe(0);
  expect(await secretsOf(home)).toEqual(['OWN_MODEL_KEY', 'TELEGRAM_BOT_TOKEN']);

  await using again = startOnTerminal(['setup'], { home: home.path, env });
  await again.next(/Which model answers\?[^]*● Keep own\/small/);
  again.child.stdin.write(keys.escape);
  const choices = await again.next(/Answer on Telegram too\?[^]*Connect another bot[^]*● Keep @\w+/);
  expect(choices).not.toContain('Pair with');
  again.child.stdin.write(keys.enter);
  await again.next(/Answer on Discord too\?/);
  again.child.stdin.write(keys.escape);
  await again.next(/Talk to it/);
});

test('a bot that nobody is paired with yet can be paired without its token', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  expect(await setUpWith(['--telegram-token-stdin'], home, { input: bot.token, bot })).toMatchObject({
    code: 0,
  });
  const env = { ...nothing, TELEGRAM_API_ROOT: bot.root };
  await using session = startOnTerminal(['setup', '--skip', 'model'], { home: home.path, env });
  await session.next(/Answer on Telegram too\?[^]*Pair with @\w+ now[^]*Connect another bot[^]*● Keep @\w+/);
  session.child.stdin.write(`${keys.down}${keys.enter}`);
  await session.next(/Code that the bot sent you/);
  bot.write(ada, 'Hello');
  const sent = await bot.until(() => bot.sentTo(ada.id).find(({ text }) => text.includes('telegram pair')));
  // The whole line, as the bot sent it.
  session.child.stdin.write(`${/[^\n`]*telegram pair \w{8}/.exec(sent.text)![0]}${keys.enter}`);
  await session.next(/Ada \(@ada\) may talk to the bot/);
});

test('a stored token that Telegram refuses is said before anything is asked about the bot', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome({ '.env': 'TELEGRAM_BOT_TOKEN=654321:other\n' });
  const env = { ...nothing, TELEGRAM_API_ROOT: bot.root };
  await using session = startOnTerminal(['setup', '--skip', 'model'], { home: home.path, env });
  await session.next(/Telegram does not know this TELEGRAM_BOT_TOKEN/);
  const choices = await session.next(/Connect another bot[^]*● Keep the bot/);
  expect(choices).not.toContain('Pair with');
});

test.each(['ctrlC', 'ctrlD'] as const)(
  '%s at a question ends set-up, and what was done stays',
  async (key) => {
    await using model = await startScriptedModel(() => ({ text: 'ok' }));
    await using home = await createHome();
    {
      await using session = startOnTerminal(['setup'], { home: home.path, env: nothing });
      await session.next(/Which model answers\?/);
      session.child.stdin.write(`${keys.up}${keys.enter}`);
      await session.next(/Address, up to \/v1/);
      session.child.stdin.write(keys[key]);
      await session.next(
        /Set-up was stopped: nothing was changed\. Go on with it at any time: pegboard setup/,
      );
      const { code, stdout } = await session.ended;
      expect(code).toBe(130);
      expect(stdout).not.toMatch(/Telegram|Talk to it/);
    }
    await using session = startOnTerminal(['setup'], { home: home.path, env: nothing });
    const type = (text: string): boolean => session.child.stdin.write(text);
    await session.next(/Which model answers\?/);
    type(`${keys.up}${keys.enter}`);
    await session.next(/Address, up to \/v1/);
    type(`${model.baseUrl}${keys.enter}`);
    await session.next(/Key, if it needs one/);
    type(keys.enter);
    await session.next(/Which of its models\?[^]*● scripted/);
    type(keys.enter);
    await session.next(/own\/scripted answers/);
    await session.next(/Answer on Telegram too\?/);
    type(keys[key]);
    await session.next(/Set-up was stopped: what is done stays \(model\)/);
    expect((await session.ended).code).toBe(130);
    expect(await configOf(home)).toContain('own/scripted');
  },
);

test.each([
  ['--telegram-token-stdin', /Token of the bot/, '123456:typed-secret'],
  ['--model-key-stdin', /Key for the model/, 'sk-typed-secret'],
])('on a terminal %s asks, and what is typed is not shown', async (option, question, typed) => {
  await using bot = await startFakeBotApi();
  await using model = await startScriptedModel(() => ({ text: 'ok' }), { apiKey: typed });
  await using home = await createHome();
  const forModel = option === '--model-key-stdin';
  const args = [option, ...(forModel ? ['--base-url', model.baseUrl, '--model', 'small'] : [])];
  const env = { ...nothing, TELEGRAM_API_ROOT: bot.root };
  await using session = startOnTerminal(['setup', '--yes', ...args], { home: home.path, env });
  await session.next(question);
  session.child.stdin.write(keys.enter);
  await session.next(/There is no (key|token) yet/);
  const secret = forModel ? typed : bot.token;
  session.child.stdin.write(`${secret}${keys.enter}`);
  await session.next(forModel ? /own\/small answers/ : /it belongs to @\w+/);
  const { code, stdout } = await session.ended;
  expect(code).toBe(0);
  expect(stdout).not.toContain(secret);
  expect(await secretsOf(home)).toEqual([forModel ? 'OWN_MODEL_KEY' : 'TELEGRAM_BOT_TOKEN']);
});

test.each(['ctrlC', 'ctrlD', 'escape'] as const)(
  '%s at the question for a token stops set-up before anything else is asked',
  async (key) => {
    await using home = await createHome();
    const args = ['setup', '--telegram-token-stdin'];
    await using session = startOnTerminal(args, { home: home.path, env: nothing });
    await session.next(/Token of the bot/);
    session.child.stdin.write(keys[key]);
    await session.next(/Set-up was stopped: nothing was changed/);
    const { code, stdout } = await session.ended;
    expect(code).toBe(130);
    expect(stdout).not.toContain('Which model answers?');
  },
);

test.each([[['setup', '--yes', '--telegram-token-stdin']], [['secret', 'set', 'SERVICE_KEY']]])(
  '%j reads no secret from a terminal where it can not ask for it',
  async (args) => {
    await using home = await createHome();
    await using session = startOnTerminal(args, {
      home: home.path,
      env: nothing,
      stderr: 'stderr.txt',
      cwd: home.path,
    });
    expect((await session.ended).code).toBe(2);
    expect(await home.read('stderr.txt')).toContain('stdin is a terminal, which would show the secret');
  },
);

test('a token given on a terminal leads to pairing, as a typed one does', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  const env = { ...nothing, TELEGRAM_API_ROOT: bot.root };
  const args = ['setup', '--skip', 'model', '--telegram-token-stdin'];
  await using session = startOnTerminal(args, { home: home.path, env });
  await session.next(/Token of the bot/);
  session.child.stdin.write(`${bot.token}${keys.enter}`);
  await session.next(/Code that the bot sent you/);
});

test('while another set-up holds the home, that is said, and how to pair then', async () => {
  await using bot = await startFakeBotApi();
  await using home = await createHome();
  using _other = await lockHome(join(home.path, 'data/host.lock'), { kind: 'a set-up' });
  const env = { ...nothing, TELEGRAM_API_ROOT: bot.root };
  await using session = startOnTerminal(['setup', '--skip', 'model'], { home: home.path, env, apart: true });
  await session.next(/Answer on Telegram too\?[^]*● Not now/);
  session.child.stdin.write(`${keys.up}${keys.enter}`);
  await session.next(/Token of the bot/);
  session.child.stdin.write(`${bot.token}${keys.enter}`);
  const held = `in use by a set-up \\(process ${process.pid} on \\S+\\)\\. Stop that, run \`pegboard start\``;
  await session.next(new RegExp(held));
});

test('--import takes what other programs and clients have, and asks nothing', async () => {
  await using home = await createHome();
  await using user = await createHome({
    '.hermes/SOUL.md': 'You are curious.\n',
    '.cursor/mcp.json': '{"mcpServers": {"clock": {"command": "clock-mcp"}}}',
  });
  const setUp = (source: string) =>
    pegboard(['setup', '--yes', '--import', source], {
      home: home.path,
      env: { ...nothing, HOME: user.path, HERMES_HOME: undefined },
    });
  const hermes = await setUp('hermes');
  expect(hermes).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('spaces/hermes/agent/SOUL.md') as string,
  });
  expect(await setUp('clients')).toMatchObject({ code: 0 });
  expect(await configOf(home)).toContain('clock-mcp');
  const none = await setUp('openclaw');
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('.openclaw') as string });
  expect((await setUp('nothing')).stderr).toContain('--import takes openclaw, hermes, clients');
});

test('a client file with broken JSON is named, and the others are taken', async () => {
  await using home = await createHome();
  await using user = await createHome({
    '.cursor/mcp.json': '{"mcpServers": {"clock": {"command": "clock-mcp"}}}',
    '.claude.json': '{"mcpServers": {',
  });
  const env = { ...nothing, HOME: user.path };
  const { stderr } = await pegboard(['setup', '--yes', '--import', 'clients'], { home: home.path, env });
  expect(stderr).toMatch(/\.claude\.json/);
  expect(await configOf(home)).toContain('clock-mcp');
});

test('the first prompt of a home without a model offers to set up, once', async () => {
  await using model = await startScriptedModel(() => ({ text: 'Hello there.' }));
  await using home = await createHome();
  const at = { home: home.path, env: nothing, isFirst: true };
  {
    await using prompt = startOnTerminal([], at);
    await prompt.next(/No model is connected yet/);
    prompt.child.stdin.write(keys.ctrlC);
    await prompt.next(/pegboard ›/);
  }
  {
    await using prompt = startOnTerminal([], at);
    const type = (text: string): boolean => prompt.child.stdin.write(text);
    await prompt.next(/No model is connected yet[^]*Yes/);
    type(keys.enter);
    await prompt.next(/Which model answers\?[^]*● Not now/);
    type(`${keys.up}${keys.enter}`);
    await prompt.next(/Address, up to \/v1/);
    type(`${model.baseUrl}${keys.enter}`);
    await prompt.next(/Key, if it needs one/);
    type(keys.enter);
    await prompt.next(/Which of its models\?[^]*● scripted/);
    type(keys.enter);
    await prompt.next(/own\/scripted answers/);
    await prompt.next(/Answer on Telegram too\?[^]*● Not now/);
    type(keys.enter);
    await prompt.next(/Answer on Discord too\?[^]*● Not now/);
    type(keys.enter);
    await prompt.next(/This is a chat with an agent[^]*›/);
    type(`Hello${keys.enter}`);
    await prompt.next(/Hello there\./);
  }
  await using other = await createHome();
  await using first = startOnTerminal([], { ...at, home: other.path });
  await first.next(/No model is connected yet/);
  first.child.stdin.write('n');
  await first.next(/pegboard ›/);
  await using later = startOnTerminal([], { ...at, home: other.path });
  expect(await later.next(/pegboard ›/)).not.toContain('No model is connected yet');
});

test('init on a terminal offers to set up the new home', async () => {
  await using folder = await createHome();
  await using session = startOnTerminal(['init', 'fresh'], { cwd: folder.path, env: nothing });
  await session.next(/Connect a model now/);
  session.child.stdin.write('n');
  await session.next(/cd fresh && pegboard call greet/);
  expect((await session.ended).code).toBe(0);
});

test('--self lists the tools that work on Pegboard itself', async () => {
  await using home = await createHome({ 'pegboard.yaml': 'name: mine\nshowTools: [watchers]\n' });
  expect((await setUpWith(['--self'], home)).code).toBe(0);
  expect(await configOf(home)).toMatch(/showTools:\s+(\[ ?)?(- )?watchers,?\s+(- )?self/);
  const { tools } = await pegboardJson<{ tools: readonly { id: string; listed: boolean }[] }>(
    ['tools', 'self'],
    { home: home.path },
  );
  expect(tools.every(({ listed }) => listed)).toBe(true);
});
