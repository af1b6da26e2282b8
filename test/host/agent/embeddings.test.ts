import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configFor, openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { pegboardJson } from '../../kit/cli.ts';
import { createHome } from '../../kit/homes/home.ts';
import { startScriptedModel } from '../../../host/testing/index.ts';

/** The scripted model's vectors are bags of words: texts that share words are similar. */
const files = {
  'spaces/garden/space.manifest.json': JSON.stringify({
    id: 'garden',
    name: 'Garden',
    description: 'Plants, seeds and watering in the garden',
    tools: [{ id: 'water', name: 'Water', description: 'Waters plants', command: 'echo wet' }],
  }),
  'spaces/money/space.manifest.json': JSON.stringify({
    id: 'money',
    name: 'Money',
    description: 'Invoices, accounts and taxes',
    tools: [{ id: 'pay', name: 'Pay', description: 'Pays an invoice', command: 'echo paid' }],
  }),
  'spaces/personal/agent/skills/watering.md':
    '---\nname: watering\ndescription: watering the plants in the garden\n---\nNever at noon.\n',
  'spaces/personal/agent/skills/taxes.md':
    '---\nname: taxes\ndescription: how to file taxes and invoices\n---\nBefore May.\n',
};
const message = 'watering plants in the garden';
const toolsOf = ({ model }: AgentHome): string[] =>
  model.requests.at(-1)!.tools!.map((tool) => tool.function.name as string);
const saidTo = ({ model }: AgentHome): string => model.requests.at(-1)!.messages.at(-1).content as string;

test('one embedding of the message selects skills and packs; descriptions are embedded once', async () => {
  await using home = await openAgentHome([{ text: 'ok' }, { text: 'ok' }], { files, embeddings: true });
  await home.say(message);
  expect(toolsOf(home)).toContain('water');
  expect(toolsOf(home)).not.toContain('pay');
  expect(saidTo(home)).toContain('### watering\nNever at noon.');
  expect(saidTo(home)).not.toContain('Before May.');
  const inputs = home.model.embeddingRequests.flatMap(({ input }) => input);
  expect(inputs.filter((text) => text === message)).toHaveLength(1);
  const before = home.model.embeddingRequests.length;
  await home.say('taxes, accounts and invoices');
  expect(toolsOf(home)).toContain('pay');
  expect(toolsOf(home)).not.toContain('water');
  expect(home.model.embeddingRequests.slice(before).flatMap(({ input }) => input)).toEqual([
    'taxes, accounts and invoices',
  ]);
});

test('a space with a vague description is there for a message that one of its tools is for', async () => {
  const vague = {
    'spaces/personal/space.manifest.json': JSON.stringify({
      id: 'personal',
      name: 'Personal',
      description: 'Everything else',
      tools: [{ id: 'greet', name: 'Greet', description: 'Greets somebody by name', command: 'echo hi' }],
    }),
  };
  await using home = await openAgentHome([{ text: 'ok' }], {
    files: { ...files, ...vague },
    embeddings: true,
  });
  await home.say('Greets somebody by name');
  expect(toolsOf(home)).toContain('greet');
  expect(toolsOf(home)).not.toContain('pay');
});

test('pegboard search finds by meaning, and a further process by the vectors that are stored', async () => {
  await using model = await startScriptedModel();
  await using home = await createHome({
    'pegboard.yaml': configFor(model, { embeddings: { model: 'words', base_url: model.baseUrl } }),
    ...files,
  });
  const search = async (): Promise<string[]> =>
    (
      await pegboardJson<{ id: string; score: number }[]>(['search', 'watering seeds garden'], {
        home: home.path,
      })
    ).map(({ id }) => id);
  expect((await search())[0]).toBe('garden.water');
  const asked = model.embeddingRequests.length;
  expect(asked).toBeGreaterThan(1);
  expect((await search())[0]).toBe('garden.water');
  expect(model.embeddingRequests.slice(asked).flatMap(({ input }) => input)).toEqual([
    'watering seeds garden',
  ]);
});

test('what pegboard.yaml says of embeddings counts from the next message on, also in a running host', async () => {
  await using home = await openAgentHome(() => ({ text: 'ok' }), { files });
  await using elsewhere = await startScriptedModel();
  const use = async (embeddings?: object): Promise<void> => {
    await home.home.write('pegboard.yaml', configFor(home.model, embeddings && { embeddings }));
    await home.host.reloadConfig();
    await home.say(message);
  };
  await use();
  expect(toolsOf(home)).toEqual(expect.arrayContaining(['water', 'pay']));
  await use({ model: 'words', base_url: home.model.baseUrl });
  expect(toolsOf(home)).not.toContain('pay');
  const before = home.model.embeddingRequests.length;
  await use({ model: 'other-words', base_url: elsewhere.baseUrl });
  expect(toolsOf(home)).not.toContain('pay');
  expect(home.model.embeddingRequests).toHaveLength(before);
  expect(new Set(elsewhere.embeddingRequests.map(({ model }) => model))).toEqual(new Set(['other-words']));
  await use();
  expect(toolsOf(home)).toContain('pay');
});

test('when embeddings fail all packs are there, and it is said once', async () => {
  const options = { files, embeddings: true, embeddingStatus: 404 };
  const home = await openAgentHome([{ text: 'ok' }, { text: 'ok' }], options);
  for (const text of [message, 'and more']) {
    expect(await home.say(text)).toMatchObject({ text: 'ok' });
    expect(toolsOf(home)).toEqual(expect.arrayContaining(['water', 'pay']));
  }
  expect(home.model.embeddingRequests).toHaveLength(1);
  await home.host[Symbol.asyncDispose]();
  const log = await readFile(join(home.home.path, 'data/logs/host.log'), 'utf8');
  expect(log.match(/embeddings failed, and are disabled for a minute/g)).toHaveLength(1);
  await home[Symbol.asyncDispose]();
});
