import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../host/api/result.ts';
import { pixel } from '../../../fixtures/conformance/media.ts';
import { connectAs, type ForeignClient } from '../../../kit/mcp/mcp-clients.ts';

describe.each(Object.entries(connectAs))('a client with %s', (how, connect) => {
  let client: ForeignClient;
  let answer: (params: JsonObject) => JsonObject;
  beforeAll(async () => {
    client = await connect({ answer: (params) => answer(params) });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('speaks the era that it is said to', () => {
    expect(client.era).toBe(how.includes('modern') ? 'modern' : 'legacy');
  });

  test('sees each tool as its source gave it, in the same order every time', async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'echo',
      'measure',
      'fail',
      'steps',
      'wait',
      'deploy',
      'grow',
    ]);
    expect(tools[0]).toMatchObject({
      title: 'Echo',
      inputSchema: {
        type: 'object',
        properties: { message: { type: 'string', description: 'What to say' } },
        required: ['message'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      icons: [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png' }],
      _meta: { 'example/kept': [1, 2] },
    });
    expect(tools[1]!['outputSchema']).toMatchObject({ required: ['width'] });
    expect(await client.listTools()).toEqual(tools);
  });

  test('gets text with its annotations and _meta back, and is named to the tool', async () => {
    const result = await client.call('echo', { message: 'hello' }, { meta: { 'example/sent': 'kept' } });
    expect(result['content']).toEqual([
      {
        type: 'text',
        text: `hello for mcp:${how.includes('v1') ? 'old' : 'new'}`,
        annotations: { priority: 1 },
      },
    ]);
    expect(result['_meta']).toMatchObject({ 'example/request': 'kept' });
  });

  test('gets images and structured content as they are', async () => {
    const result = await client.call('measure');
    expect(result['content']).toEqual([{ type: 'image', data: pixel, mimeType: 'image/png' }]);
    expect(result['structuredContent']).toEqual({ width: 1 });
  });

  test('gets a failed result for a tool that fails', async () => {
    const result = await client.call('fail');
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'the disk is full' }] });
  });

  test('gets a failed result with the schema for arguments that do not fit', async () => {
    const result = await client.call('echo', { mesage: 'hello' });
    expect(result['isError']).toBe(true);
    const text = (result['content'] as readonly { readonly text: string }[])
      .map((part) => part.text)
      .join('\n');
    expect(text).toContain("echo don't fit");
    expect(text).toContain('"What to say"');
  });

  test('gets an error with near names for a tool that does not exist', async () => {
    await expect(client.call('ecko')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool "ecko". Did you mean echo') as string,
    });
  });

  test('receives progress', async () => {
    const heard: JsonObject[] = [];
    await client.call('steps', {}, { onprogress: (progress) => heard.push(progress) });
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  test('can cancel a call and continue', async () => {
    const cancel = new AbortController();
    const call = client.call('wait', {}, { signal: cancel.signal });
    cancel.abort(new Error('no longer needed'));
    await expect(call).rejects.toThrow(/no longer needed|abort/i);
    expect(await client.call('echo', { message: 'still here' })).toMatchObject({
      content: [{ text: expect.stringContaining('still here') as string }],
    });
  });

  test('is notified when the list of tools changes, and finds the new one', async () => {
    const changed = client.toolsChanged();
    await client.call('grow');
    await changed;
    expect((await client.listTools()).map(({ name }) => name)).toContain('extra_1');
    expect(await client.call('extra_1')).toMatchObject({ content: [{ text: 'here' }] });
  });

  test('confirms a call when it can ask its user, who sees exactly what will run', async () => {
    const asked: JsonObject[] = [];
    answer = (params) => {
      asked.push(params);
      return { action: 'accept', content: { answer: 'once' } };
    };
    const result = await client.call('deploy', { to: "o'hara" });
    expect(result).toMatchObject({ content: [{ text: "deployed to o'hara, 1" }] });
    expect(asked).toHaveLength(1);
    expect(asked[0]!['message']).toContain("deploy.sh 'o'hara'");
  });

  test('stops a call by declining', async () => {
    answer = () => ({ action: 'decline' });
    const result = await client.call('deploy', { to: 'production' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('declined') as string }],
    });
  });

  test('cannot run what needs a confirmation when it has nobody to ask', async () => {
    await using alone = await connect();
    const result = await alone.call('deploy', { to: 'production' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('nobody to ask') as string }],
    });
  });
});
