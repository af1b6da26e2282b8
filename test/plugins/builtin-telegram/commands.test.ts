import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anna, ben } from '../../kit/telegram/fake-bot-api.ts';
import { openBotHome } from './bot-home.ts';

const group = -100_777;

test('the owner saves a script of the agent as a tool in a private chat, and nobody else does', async () => {
  const code = 'return 1 + 1';
  const saved = 'spaces/shop/agent/tools/add-up.script.ts';
  await using bot = await openBotHome(
    [{ toolCalls: [{ name: 'run_script', arguments: { code } }] }, { text: 'Two.' }],
    {
      files: { 'spaces/shop/agent/agent.yaml': 'description: Sells\ndefault: true\n' },
      environment: { ALLOWED_TELEGRAM_IDS: `${anna.id} ${ben.id}` },
      config: { groups: 'all' },
    },
  );
  const { telegram, home } = bot;
  telegram.addGroup(group, 'Friends');
  telegram.write(anna, 'What is one and one?');
  await bot.says(anna.id, 'Two.');
  telegram.write(anna, '/save-script Bad Name');
  await bot.says(anna.id, /in small letters: \/save-script open-orders/);
  telegram.write(ben, '/save-script add-up');
  await bot.says(ben.id, /^\/save-script is for the owner alone/);
  telegram.write(anna, '/save_script add-up', { chat: group });
  await bot.says(group, /^\/save-script is for the owner alone/);
  await expect(readFile(join(home.path, saved))).rejects.toMatchObject({ code: 'ENOENT' });
  telegram.write(anna, '/save-script@peg_bot add-up');
  await bot.says(
    anna.id,
    /^shop\.add-up is a tool now: .*add-up\.script\.ts\. It is the script for "What is one and one\?"\.$/,
  );
  expect(await readFile(join(home.path, saved), 'utf8')).toContain(code);
  telegram.write(anna, '/save_script add-up');
  await bot.says(anna.id, /is there already; nothing was changed/);
});

test('conversations are gone on with, rewound and measured in a chat; each person sees their own, the owner all', async () => {
  await using bot = await openBotHome((_request, index) => ({ text: `answer ${index + 1}` }), {
    environment: { ALLOWED_TELEGRAM_IDS: `${anna.id} ${ben.id}` },
  });
  const { telegram, model } = bot;
  telegram.write(ben, 'a secret of Ben');
  await bot.says(ben.id, 'answer 1');
  telegram.write(anna, 'plan the holiday');
  await bot.says(anna.id, 'answer 2');
  telegram.write(anna, '/clear');
  await bot.says(anna.id, 'A fresh conversation.');
  telegram.write(anna, 'buy bread');
  await bot.says(anna.id, 'answer 3');
  telegram.write(ben, '/resume');
  const own = await bot.says(ben.id, /goes on with one/);
  expect(own.text).toMatch(/^• 1 · a secret of Ben · .* · this one\n\n/);
  telegram.write(ben, '/resume 2');
  await bot.says(ben.id, /^There is no conversation 2\./);
  telegram.write(anna, '/resume');
  expect((await bot.says(anna.id, /goes on with one/)).text).toContain('a secret of Ben');
  telegram.write(anna, '/resume holiday');
  await bot.says(anna.id, /^Going on with plan the holiday/);
  telegram.write(anna, 'where to?');
  await bot.says(anna.id, 'answer 4');
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toMatch(/plan the holiday.*where to\?/);
  telegram.write(anna, '/rewind');
  const { text } = await bot.says(anna.id, /goes back to before that message/);
  const number = /^• (\d+) · .* · where to\?$/m.exec(text)![1]!;
  telegram.write(anna, `/rewind ${number}`);
  await bot.says(anna.id, /^Back to before this message\./);
  telegram.write(anna, 'what does it cost?');
  await bot.says(anna.id, 'answer 5');
  expect(JSON.stringify(model.requests.at(-1)!.messages)).not.toContain('where to?');
  telegram.write(anna, '/context');
  await bot.says(anna.id, /tokens are used[^]*Kept for the answer/);
  telegram.write(anna, '/cost');
  await bot.says(anna.id, /^This conversation\n\n• .*: 1 call,[^]*Today, in all channels\n\n• .*: 5 calls,/);
  // The owner's own chat goes on in the terminal as theirs, somebody else's as words of others.
  const { commands } = await bot.host.agents();
  const terminal = { key: { source: 'cli', externalId: 'cli' }, isOwner: true };
  const bens = [{ kind: 'person', what: `telegram/${ben.id}` }];
  for (const [number, origins] of [
    ['2', []],
    ['1', bens],
  ] as const) {
    await commands.run({ name: 'resume', rest: number }, terminal);
    expect((await bot.host.converse({ ...terminal.key, text: 'and?' })).untrusted).toEqual(origins);
  }
});
