import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { answer, questionsOf } from '../../kit/homes/asking-home.ts';
import { pegboard } from '../../kit/cli.ts';
import { anna } from '../../kit/telegram/fake-bot-api.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { fixture } from '../../kit/mcp/mcp-source.ts';
import { openBotHome, type BotHome } from './bot-home.ts';

const offer = (description: string): string =>
  JSON.stringify({ tools: [{ name: 'pay', description, inputSchema: { type: 'object' } }] });

/** A running host with an MCP server that changed its tool since it was first seen. */
async function openChanged() {
  const said = await createHome({ 'tools.json': offer('Pays a bill') });
  onTestFinished(() => said[Symbol.asyncDispose]());
  const file = join(said.path, 'tools.json');
  const bot = await openBotHome([], { mcpServers: { bank: fixture('changes-tools', file) } });
  onTestFinished(() => bot[Symbol.asyncDispose]());
  bot.telegram.write(anna, '/start');
  await bot.telegram.until(() => bot.telegram.sentTo(anna.id).length > 0);
  const bank = bot.host.servers.get('bank')!;
  await bank.connect();
  const change = async (description: string): Promise<void> => {
    await said.write('tools.json', offer(description));
    process.kill(bank.status().pid!, 'SIGHUP');
    await expect.poll(() => JSON.stringify(bank.pendingTools)).toContain(description);
  };
  const asking = await bot.host.askAboutPending();
  onTestFinished(() => asking[Symbol.asyncDispose]());
  return { bot, change };
}

const isListed = ({ host }: BotHome): boolean => host.registry.snapshot.find('bank.pay') !== undefined;

test('the owner sees on the phone what a server has changed, and a button admits just that', async () => {
  const { bot, change } = await openChanged();
  expect(isListed(bot)).toBe(true);
  await change('Pays a bill, and tells a stranger');
  expect(isListed(bot)).toBe(false);
  const question = await bot.says(anna.id, /Approve pay of the MCP server bank as shown\?/);
  expect(question.text).toContain('-  "description": "Pays a bill",');
  expect(question.text).toContain('+  "description": "Pays a bill, and tells a stranger",');
  bot.telegram.press(anna, question.id, 'Yes');
  await expect.poll(() => isListed(bot)).toBe(true);
  expect(await pegboard(['approvals', 'allow'], { home: bot.home.path })).toMatchObject({
    stdout: 'Nothing is waiting for your approval.\n',
  });
});

test('a question about what has changed again is withdrawn, and its button admits nothing', async () => {
  const { bot, change } = await openChanged();
  await change('Pays a bill twice');
  const first = await bot.says(anna.id, /twice/);
  const old = first.buttons.find(({ text }) => text === 'Yes')!.data!;
  await change('Pays somebody else');
  const second = await bot.says(anna.id, /somebody else/);
  await bot.telegram.until(() => first.buttons.length === 0);
  const late = bot.telegram.press(anna, first.id, old);
  await bot.telegram.until(() => bot.telegram.answerTo(late) !== undefined);
  expect(isListed(bot)).toBe(false);
  bot.telegram.press(anna, second.id, 'No');
  await bot.telegram.until(() => second.buttons.length === 0);
  expect(isListed(bot)).toBe(false);
});

test('a change of a space is asked about with its difference, and without secrets in it', async () => {
  const tool = 'spaces/recipes/agent/tools/taste.md';
  const files = {
    'spaces/recipes/.git/config': '[remote "origin"]\n',
    [tool]: manifest('taste', 'command: echo tasty'),
  };
  await using bot = await openBotHome([], { files });
  const { host, telegram, home } = bot;
  telegram.write(anna, '/start');
  await telegram.until(() => telegram.sentTo(anna.id).length > 0);
  await host.secrets.set('OVEN_KEY', 'sk-oven-0123456789', 'owner');
  await host.spaces.approve(host.spaces.review('recipes')!);
  await home.write(tool, manifest('taste', 'command: echo tasty sk-oven-0123456789'));
  await host.spaces.changed([join(home.path, tool)]);
  await using _asking = await host.askAboutPending();
  const question = await bot.says(anna.id, /Use the space recipes as it is now/);
  expect(question.text).toContain('+command: echo tasty [secret OVEN_KEY]');
  expect(question.text).not.toContain('0123456789');
  telegram.press(anna, question.id, 'Yes');
  await expect.poll(() => host.registry.snapshot.find('taste') !== undefined).toBe(true);
});

test('it is answered from any terminal by its number as well', async () => {
  const { bot, change } = await openChanged();
  await change('Pays a bill at once');
  const [question] = await questionsOf(bot.home, 1);
  expect(question).toMatchObject({ tool: 'bank', unattended: true, choices: ['always'] });
  expect(await answer(bot.home, 'allow', question!.id)).toMatchObject({ code: 0 });
  await expect.poll(() => isListed(bot)).toBe(true);
});

test('a host that runs takes what was approved at a terminal', async () => {
  const { bot, change } = await openChanged();
  await change('Pays a bill quickly');
  await using other = await createHost({ home: bot.home.path, mcp: 'connect', watch: true });
  await other.servers.settled();
  expect(other.registry.snapshot.find('bank.pay')).toBeUndefined();
  const accepted = await pegboard(['mcp', 'approve', 'bank', '--yes'], { home: bot.home.path });
  expect(accepted).toMatchObject({ code: 0, stdout: 'Approved: pay.\n' });
  await expect.poll(() => other.registry.snapshot.find('bank.pay') !== undefined).toBe(true);
});
