import { describe, expect, test } from 'vitest';
import { pegboard, pegboardJson, type CliResult } from '../../../kit/cli.ts';
import { createHome, manifest, type TestHome } from '../../../kit/homes/home.ts';

const tools = 'spaces/shop/agent/tools';

/** An agent with a module whose setup step has to run before its other tools. */
function homeWith(openBooks: string): Promise<TestHome> {
  return createHome({
    'spaces/shop/agents/clerk.yaml': `tools:
  modules:
    shop:
      setup: [{ action: open-books }]
      constraints: { blocked_actions: [open-books] }
`,
    [`${tools}/open-books.md`]: manifest('open-books', openBooks),
    [`${tools}/books.md`]: manifest('books', 'command: cat books.txt'),
  });
}
const opens = 'command: sh -c "echo opened >> books.txt"';

describe('pegboard call --agent', () => {
  test("runs the steps of the agent's setup first, which others do not need", async () => {
    await using home = await homeWith(opens);
    const call = (...options: string[]): Promise<CliResult> =>
      pegboard(['call', 'shop.books', ...options], { home: home.path });
    expect((await call()).code).toBe(1);
    expect(await call('--agent', 'clerk')).toMatchObject({ code: 0, stdout: 'opened\n' });
    expect((await call()).stdout).toBe('opened\n');
  });

  test('runs them once for all calls of one session', async () => {
    await using home = await homeWith(opens);
    const input = 'shop.books\ncall shop.books --agent clerk\n';
    const env = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined, OPENROUTER_API_KEY: undefined };
    const { stdout, stderr } = await pegboard(['--agent', 'clerk'], { home: home.path, input, env });
    expect({ stdout, stderr }).toEqual({ stdout: 'opened\nopened\n', stderr: '' });
  });

  test('fails with the step that failed, and its position in the file', async () => {
    await using home = await homeWith('command: sh -c "echo no paper >&2; exit 3"');
    const args = ['call', 'shop.books', '--agent', 'clerk'];
    const { code, stderr } = await pegboard(args, { home: home.path });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The agent shop\/clerk could not be set up: shop\.open-books failed \(.*clerk\.yaml:4:15\)/,
    );
    expect(stderr).toContain('no paper');
    const json = await pegboardJson<object>(args, { home: home.path });
    expect(json).toMatchObject({ tool: 'shop.books', ok: false, error: { stage: 'prepare' } });
  });

  test('runs no step for a tool that the agent may not use', async () => {
    await using home = await homeWith('command: sh -c "echo no paper >&2; exit 3"');
    const args = ['call', 'shop.open-books', '--agent', 'clerk'];
    const { code, stderr } = await pegboard(args, { home: home.path });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.not.stringContaining('no paper') });
  });

  test('of an agent that is not there is a mistake of usage', async () => {
    await using home = await homeWith(opens);
    const { code, stderr } = await pegboard(['call', 'shop.books', '--agent', 'clark'], { home: home.path });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('clerk') });
  });
});
