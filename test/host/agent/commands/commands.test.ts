import { expect, test } from 'vitest';
import type { CommandPlace } from '../../../../host/api/channels/chat-commands.ts';
import { openAgentHome, type AgentHome } from '../../../kit/homes/agent-home.ts';
import type { Script, ScriptedRequest } from '../../../../host/testing/index.ts';

const terminal: CommandPlace = { key: { source: 'cli', externalId: 'cli' }, isOwner: true };
const ben: CommandPlace = { key: { source: 'telegram', externalId: '1002' }, isOwner: false };
const owner: CommandPlace = { key: { source: 'telegram', externalId: '1001' }, isOwner: true };

const textIn = ({ messages }: ScriptedRequest): string => JSON.stringify(messages);
/** Answers with the number of the request; what is asked to be summarised or named gets a text of its own. */
const script: Script = (request, index) => {
  if (textIn(request).includes('You write the summary')) return { text: '- Ada wants tea, never coffee.' };
  if (textIn(request).includes('You name conversations')) return { text: '"**Tea for Ada**."' };
  return { text: `answer ${index + 1}` };
};

const run = async ({ host }: AgentHome, line: string, place = terminal): Promise<string | undefined> => {
  const [, name = '', rest = ''] = /^\/(\S+)\s*(.*)$/.exec(line)!;
  return await (await host.agents()).commands.run({ name, rest }, place);
};
const denied = { code: 'PEG_DENIED' };
const misused = { code: 'PEG_USAGE' };

test('/resume lists conversations and goes on with one, by number or title; others see those of their own chat', async () => {
  await using home = await openAgentHome(script);
  expect(await run(home, '/resume')).toBe('There are no earlier conversations.');
  await home.say('tea or *coffee*');
  expect(await run(home, '/new')).toBe('A fresh conversation.');
  await home.say('the weather');
  await home.say('lunch', ben.key);
  const list = (await run(home, '/resume'))!;
  expect(list.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^- \*\*3\*\* · lunch · \d{4}-\d\d-\d\d \d\d:\d\d · 2 messages · telegram$/),
    expect.stringMatching(/^- \*\*2\*\* · the weather · .* · cli · this one$/),
    expect.stringMatching(/^- \*\*1\*\* · tea or \\\*coffee\\\* · /),
  ]);
  expect(await run(home, '/sessions', ben)).toMatch(/^- \*\*3\*\* · lunch.*\n\n\/resume NUMBER/);
  await expect(run(home, '/resume 1', ben)).rejects.toMatchObject(misused);
  await expect(run(home, '/resume tea', ben)).rejects.toMatchObject(misused);
  await expect(run(home, '/resume 99')).rejects.toMatchObject(misused);
  expect(await run(home, '/resume 2')).toMatch(/the conversation here already/);
  // In its own chat a conversation goes on itself.
  expect(await run(home, '/resume TEA OR')).toMatch(
    /^Going on with \*\*tea or \\\*coffee\\\*\*\* \(2 messages, .*\)\.\n\n> › tea or .*\n>\n> answer 1$/,
  );
  await home.say('go on');
  expect(textIn(home.model.requests.at(-1)!)).toMatch(/tea or \*coffee\*.*answer 1.*go on/);
  expect(textIn(home.model.requests.at(-1)!)).not.toContain('weather');
  // Elsewhere a branch of it does, which leaves the other chat alone.
  expect(await run(home, '/resume 3')).toContain('Going on with **lunch**');
  const soup = await home.say('soup');
  expect(soup.untrusted).toEqual([{ kind: 'person', what: 'telegram/1002' }]);
  expect(textIn(home.model.requests.at(-1)!)).toMatch(/lunch.*answer 3.*soup/);
  await home.say('and dessert?', ben.key);
  expect(textIn(home.model.requests.at(-1)!)).not.toContain('soup');
  await home.say('the weather again', { ...terminal.key, externalId: 'other' });
  await expect(run(home, '/resume weather')).rejects.toThrow(/2 \(the weather\)/);
  expect(await run(home, '/nothing')).toBeUndefined();
});

test('/rewind goes back to before a message; what was said is kept, and can be gone back to', async () => {
  await using home = await openAgentHome(script);
  await expect(run(home, '/rewind')).rejects.toMatchObject(misused);
  await home.say('one');
  await home.say('two\nin *two* lines');
  await home.say('three');
  const list = (await run(home, '/rewind'))!;
  const numbers = [...list.matchAll(/^- \*\*(\d+)\*\* · .* · (\w+)/gm)].map(([, id, text]) => [text, id]);
  expect(numbers.map(([text]) => text)).toEqual(['one', 'two', 'three']);
  const [first, second] = numbers.map(([, id]) => Number(id));
  await expect(run(home, `/rewind ${second! + 1}`)).rejects.toMatchObject(misused);
  expect(await run(home, `/rewind ${second}`)).toBe(
    'Back to before this message. What followed is kept as conversation 1: /resume 1 goes back there.\n\n> two\n> in \\*two\\* lines',
  );
  // Until something is said another message can be chosen, also when the command is delivered again.
  expect(await run(home, `/rewind ${second}`)).toContain('conversation 1');
  await home.say('another two');
  const request = home.model.requests.at(-1)!;
  expect(textIn(request)).toMatch(/one.*answer 1.*another two/);
  expect(textIn(request)).not.toMatch(/three|in \*two\*/);
  expect(await run(home, '/resume')).toMatch(/ · one · .* · this one\n- \*\*1\*\* · one · /);
  await run(home, '/resume 1');
  await home.say('four');
  expect(textIn(home.model.requests.at(-1)!)).toMatch(/two.*three.*four/);
  expect(textIn(home.model.requests.at(-1)!)).not.toContain('another two');
  await run(home, `/rewind ${first}`);
  await home.say('from the beginning');
  expect(textIn(home.model.requests.at(-1)!)).not.toMatch(/answer \d/);
});

test('/compact puts a summary in the place of the older part; branches keep it, and its origins', async () => {
  await using home = await openAgentHome(script);
  expect(await run(home, '/compact')).toMatch(/^There is nothing to compact/);
  const page = [{ kind: 'web', what: 'https://example.com/tea' }] as const;
  await home.say('I like tea', { untrusted: page });
  await home.say('never coffee');
  await home.say('remember that');
  expect(await run(home, '/compact the drinks')).toMatch(
    /^4 messages became a summary: about [\d,]+ tokens are \d+ now\./,
  );
  const asked = textIn(home.model.requests.at(-1)!);
  expect(asked).toMatch(/I like tea.*answer 1.*never coffee.*keep above all: the drinks/);
  expect(asked).not.toContain('remember that');
  const reply = await home.say('what do I drink?');
  expect(reply.untrusted).toMatchObject(page);
  const read = textIn(home.model.requests.at(-1)!);
  expect(read).toMatch(/remember that.*\[Earlier in this conversation\]\\n- Ada wants tea/);
  expect(read).not.toMatch(/"never coffee"|I like tea/);
  // Everything is kept, and a branch from after the summary has it too.
  const agents = await home.host.agents();
  expect((await agents.conversations.after(1, 0)).map(({ text }) => text)).toContain('I like tea');
  await run(home, '/resume 1', owner);
  const elsewhere = await home.say('and here?', owner.key);
  expect(elsewhere.untrusted).toMatchObject(page);
  expect(textIn(home.model.requests.at(-1)!)).toMatch(/what do I drink.*Ada wants tea.*and here\?/);
  // One from before it has the messages themselves.
  const [, second] = (await agents.conversations.after(1, 0)).filter(({ role }) => role === 'user');
  await run(home, `/rewind ${second!.id}`);
  await home.say('never milk');
  expect(textIn(home.model.requests.at(-1)!)).toMatch(/I like tea.*answer 1.*never milk/);
  expect(textIn(home.model.requests.at(-1)!)).not.toContain('Ada wants tea');
});

test('/rename, /cost and /context say what they found; what is the owner’s alone is refused to others', async () => {
  await using home = await openAgentHome(script, { settings: {} });
  await expect(run(home, '/rename')).rejects.toMatchObject(misused);
  expect(await run(home, '/cost')).toMatch(/has used no model yet\.\n\nNo model was used today\./);
  await home.say('tea, please');
  expect(await run(home, '/rename')).toBe('This conversation is called **Tea for Ada** now.');
  expect(await run(home, '/rename Tea  [again]')).toContain('**Tea \\[again\\]**');
  const cost = (await run(home, '/cost'))!;
  expect(cost).toMatch(/^\*\*This conversation\*\*\n- .*: 2 calls, [\d,]+ tokens in, [\d,]+ out, /);
  expect(cost).toContain('**Today, in all channels**');
  expect(await run(home, '/usage', ben)).toMatch(/^\*\*Today, in all channels\*\*\n- .*: 2 calls/);
  const context = (await run(home, '/context'))!;
  expect(context).toMatch(/about ([\d,]+) of [\d,]+ tokens are used \(\d+%\)\.\n\n```\n[█░▒]{40}\n/);
  const rows = new Map(
    [...context.matchAll(/^([A-Z][\w ,()]*?) +([\d,]+) +\d+%$/gm)].map(([, what, tokens]) => [
      what!,
      Number(tokens!.replaceAll(',', '')),
    ]),
  );
  expect(rows.get('System prompt')).toBeGreaterThan(100);
  expect(rows.get('Messages (2)')).toBeGreaterThan(2);
  const [window] = [.../of ([\d,]+) tokens/.exec(context)!].slice(1);
  const sum = [...rows.values()].reduce((all, tokens) => all + tokens, 0);
  expect(sum).toBe(Number(window!.replaceAll(',', '')));
  expect(await run(home, '/tools')).toContain('**filesystem**');
  await expect(run(home, '/save_script tea', ben)).rejects.toMatchObject(denied);
  await expect(run(home, '/save-script tea')).rejects.toThrow(/no script in this conversation/);
});

test('/copy takes the last answer, or the last code of the answers, where there is a clipboard', async () => {
  const answers = [
    'So:\n\n1. first\n   ```sh\n   echo "a"\n     b\n   ```\n',
    'Just w\u200bords \x1b[31m**here**',
    '',
  ];
  await using home = await openAgentHome((_request, index) => ({ text: answers[index] ?? '' }));
  const copied: string[] = [];
  const toClipboard = async (text: string): Promise<string> => `as number ${copied.push(text)}`;
  const here = { ...terminal, toClipboard };
  await expect(run(home, '/copy', here)).rejects.toThrow(/no answer in this conversation yet/);
  await home.say('show me');
  await home.say('in words');
  expect(await run(home, '/copy', here)).toBe('Copied the last answer (1 line) as number 1.');
  expect(await run(home, '/copy code', here)).toBe('Copied the last code block (2 lines) as number 2.');
  expect(copied).toEqual(['Just words **here**', 'echo "a"\n  b']);
  await expect(run(home, '/copy all', here)).rejects.toMatchObject(misused);
  await expect(run(home, '/copy', owner)).rejects.toThrow(/works at the prompt of a terminal/);
  await run(home, '/new');
  await home.say('nothing');
  await expect(run(home, '/copy code', here)).rejects.toMatchObject(misused);
});
