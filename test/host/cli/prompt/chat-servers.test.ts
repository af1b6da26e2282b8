import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { pegboard } from '../../../kit/cli.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { fixture } from '../../../kit/mcp/mcp-source.ts';
import { startScriptedModel, type Script, type ScriptedModel } from '../../../../host/testing/index.ts';
import { waitUntil } from '../../../kit/wait-until.ts';

/** A connection attempt that doesn't time out during the test. */
const silent = { ...fixture('never-answers'), connectTimeout: 600 };

async function homeWith(model: ScriptedModel, mcpServers: object): Promise<TestHome> {
  const config = JSON.parse(configFor(model, { contextWindow: 100_000 })) as object;
  return await createHome({ 'pegboard.yaml': JSON.stringify({ ...config, mcpServers }) });
}

const namesIn = (model: ScriptedModel, request: number): string[] =>
  model.requests[request]!.tools!.map((tool) => tool.function.name);

describe('a chat in a home with an MCP server that was never connected', () => {
  test('is answered although the server hangs, and says whose tools were missing', async () => {
    await using model = await startScriptedModel(() => ({ text: 'pong' }));
    await using home = await homeWith(model, { silent });
    const { code, stdout, stderr } = await pegboard(['chat', 'ping'], { home: home.path });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'pong\n' });
    expect(stderr).toMatch(
      /^silent has not answered yet, so its tools were not available\. .*pegboard mcp list/,
    );
    const piped = await pegboard([], { home: home.path, input: 'ping\n' });
    expect(piped).toMatchObject({ code: 0, stdout: 'pong\n' });
  });

  test('connects it meanwhile, and the next one has its tools', async () => {
    const { promise: home, resolve } = Promise.withResolvers<TestHome>();
    const script: Script = async (_request, index) => {
      if (index === 0) await waitUntil(async () => (await catalogued(await home)).length > 0);
      return { text: 'pong' };
    };
    await using model = await startScriptedModel(script);
    await using opened = await homeWith(model, { echoes: fixture('echoes'), silent });
    resolve(opened);
    const first = await pegboard(['chat', 'ping'], { home: opened.path });
    expect(first).toMatchObject({ code: 0, stdout: 'pong\n' });
    expect(first.stderr).toMatch(/^silent has/);
    expect((await pegboard(['chat', 'ping'], { home: opened.path })).stdout).toBe('pong\n');
    expect(namesIn(model, 1)).toContain('echoes__echo');
  });
});

async function catalogued(home: TestHome): Promise<string[]> {
  const folder = join(home.path, 'data/mcp/catalogue');
  return existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.json')) : [];
}
