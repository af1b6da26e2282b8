import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller, createMcpLab, npmServer, until } from '../../../../kit/mcp/mcp-source.ts';

test('server-everything lists, runs and reports its tools, resources and prompts', async () => {
  await using lab = await createMcpLab();
  const source = lab.open('everything', npmServer('everything', 'stdio'));
  expect(source.status()).toMatchObject({ state: 'idle', tools: 0 });
  await source.connect();
  expect(source.status()).toMatchObject({ state: 'ready', transport: 'stdio', era: 'legacy', restarts: 0 });

  const { tools, diagnostics } = await source.list();
  expect(diagnostics).toEqual([]);
  expect(tools.length).toBeGreaterThanOrEqual(13);
  expect(tools.find(({ name }) => name === 'get-sum')?.parameters).toMatchObject({ required: ['a', 'b'] });

  const image = await source.callTool('get-tiny-image', {}, caller());
  expect(image.content.some((block) => block.type === 'image' && block.mimeType === 'image/png')).toBe(true);
  const structured = await source.callTool('get-structured-content', { location: 'Chicago' }, caller());
  expect(structured.structured).toMatchObject({ temperature: expect.any(Number) as number });

  const steps = caller();
  await source.callTool('trigger-long-running-operation', { duration: 0.3, steps: 3 }, steps);
  expect(steps.steps.map(({ progress }) => progress)).toEqual([1, 2, 3]);

  const resources = await source.listResources();
  expect(resources.length).toBeGreaterThan(0);
  const read = await source.readResource(resources[0]!.uri, {});
  expect(read['contents']).toHaveLength(1);
  expect(await source.listResourceTemplates()).toHaveLength(2);
  expect((await source.listPrompts()).map(({ name }) => name)).toContain('simple-prompt');
  const prompt = await source.getPrompt('args-prompt', { city: 'Bern' }, {});
  expect(JSON.stringify(prompt)).toContain('Bern');
  const ref = { type: 'ref/prompt', name: 'completable-prompt' };
  const completion = await source.complete({ ref, argument: { name: 'department', value: 'E' } }, {});
  expect(completion).toMatchObject({ completion: { values: ['Engineering'] } });
});

test('server-filesystem works in the folder that it is given, and says no elsewhere', async () => {
  await using lab = await createMcpLab();
  const folder = join(lab.data, 'files');
  await mkdir(folder);
  await writeFile(join(folder, 'note.txt'), 'hello');
  const source = lab.open('files', npmServer('filesystem', '${FOLDER}'), { FOLDER: folder });
  await source.connect();
  expect(await source.callTool('read_text_file', { path: join(folder, 'note.txt') }, caller())).toMatchObject(
    {
      content: [{ type: 'text', text: 'hello' }],
    },
  );
  const refused = await source.callTool('read_text_file', { path: '/etc/passwd' }, caller());
  expect(refused.error).toMatchObject({ code: 'PEG_TOOL_FAILED', stage: 'execute' });
  expect(refused.error?.message).toContain('Access denied');
});

test('server-memory keeps its file where its environment says', async () => {
  await using lab = await createMcpLab();
  const config = { ...npmServer('memory'), env: { MEMORY_FILE_PATH: '${STORE:-}/memory.jsonl' } };
  const source = lab.open('memory', config, { STORE: lab.data });
  await source.connect();
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
  await source.callTool('create_entities', { entities }, caller());
  const found = await source.callTool('search_nodes', { query: 'Ada' }, caller());
  expect(found.structured).toMatchObject({ entities: [{ name: 'Ada' }] });
});

test('several servers connect side by side, and a tool is listed from memory before its server runs again', async () => {
  await using lab = await createMcpLab();
  const open = () => [
    lab.open('everything', npmServer('everything', 'stdio')),
    lab.open('memory', npmServer('memory')),
    lab.open('files', npmServer('filesystem', lab.data)),
  ];
  const first = open();
  await Promise.all(first.map((source) => source.connect()));
  await until(first[0]!, async () => (await first[0]!.list()).tools.length > 13);
  const counts = first.map((source) => source.status().tools);
  await Promise.all(first.map((source) => source[Symbol.asyncDispose]!()));

  const second = open();
  expect(second.map((source) => source.status())).toMatchObject(
    counts.map((tools) => ({ state: 'idle', tools, era: 'legacy' })),
  );
  expect(await second[1]!.callTool('read_graph', {}, caller())).toMatchObject({
    structured: { entities: [] },
  });
  expect(second.map((source) => source.status().state)).toEqual(['idle', 'ready', 'idle']);
});
