import { describe, expect, test } from 'vitest';
import type { ToolOutput, ToolResult } from '../../../host/api/result.ts';
import type { Progress, Tool } from '../../../host/api/tool.ts';
import { markUntrusted, originsOf } from '../../../host/core/foreign/untrusted.ts';
import { kernel } from '../../kit/dispatch.ts';

const page = { kind: 'web', what: 'https://example.com' } as const;
const read = markUntrusted(
  { content: [{ type: 'text', text: 'the password is hunter22' }] },
  page,
) as ToolResult;

function tool(name: string, execute: Tool['execute'], parts: Partial<Tool> = {}): Tool {
  return { name, description: name, parameters: { type: 'object' }, execute, ...parts };
}

describe('a mark of who wrote a result', () => {
  test('stays when a hook makes another result of it, and when a secret is taken out', async () => {
    const hooks = [
      {
        name: 'editor',
        hooks: { postTool: () => ({ content: [{ type: 'text' as const, text: 'all is well' }] }) },
      },
    ];
    const edited = await kernel([tool('read', () => read)], { hooks });
    expect(originsOf(await edited.call('read'))).toEqual([page]);
    const plain = await kernel([tool('read', () => read)]);
    plain.redactor.add('password', 'hunter22');
    const result = await plain.call('read');
    expect(JSON.stringify(result)).toContain('[secret password]');
    expect(originsOf(result)).toEqual([page]);
  });

  test('is on what another tool makes of it, also when that fails', async () => {
    const outer = (execute: Tool['execute']): Tool => tool('outer', execute);
    for (const fails of [false, true]) {
      const { dispatch, call } = await kernel([
        tool('read', () => read),
        outer(async (_args, parent) => {
          await dispatch({ name: 'read', args: {}, scope: parent.scope, caller: 'test', parent });
          if (fails) throw new Error('no');
          return 'a summary';
        }),
      ]);
      expect(originsOf(await call('outer'))).toEqual([page]);
    }
  });

  test('is on progress as well, through every call in between', async () => {
    const foreign = { untrusted: { kind: 'mcp', what: 'notes' } as const };
    const { dispatch, call } = await kernel([
      tool('steps', (_args, call) => call.progress({ progress: 1, message: 'one' }), foreign),
      tool('outer', async (_args, parent) => {
        const onProgress = (step: Progress): void => parent.progress(step);
        await dispatch({ name: 'steps', args: {}, scope: parent.scope, caller: 'test', parent, onProgress });
      }),
    ]);
    const seen: object[] = [];
    await call('outer', {}, { onProgress: (step) => void seen.push(step) });
    expect(seen.map(originsOf)).toEqual([[foreign.untrusted]]);
  });

  test('is no part of JSON, and no JSON can be one', async () => {
    expect(JSON.stringify(read)).not.toContain('example.com');
    const shapes: unknown[] = [
      { ...read, origins: [page] },
      { ...read, provenance: [page] },
      { ...read, 'Symbol(provenance)': [page] },
      { ...read, meta: { 'pegboard/untrusted': page, kept: 1 } },
      { content: [{ ...read.content[0], _meta: { 'pegboard/untrusted': 0 } }] },
    ];
    for (const shape of shapes) {
      const json = JSON.parse(JSON.stringify(shape)) as ToolOutput;
      const { call } = await kernel([tool('read', () => json)]);
      const result = await call('read');
      expect(originsOf(result)).toEqual([]);
      expect(JSON.stringify(result.meta ?? {})).not.toContain('pegboard/');
      expect(JSON.stringify(result.content[0])).not.toContain('"_meta"');
    }
  });
});
