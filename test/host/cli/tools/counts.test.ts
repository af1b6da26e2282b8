import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

/** A bot brings tools that only its own chats have. */
const env = {
  TELEGRAM_BOT_TOKEN: '123456789:AAaaBBbbCCccDDddEEeeFFffGGggHHhhIIi',
  TELEGRAM_API_ROOT: 'http://127.0.0.1:1',
};
const files = { 'spaces/personal/agent/tools/greet.md': manifest('greet', 'command: echo Hello') };

interface Status {
  readonly registry: { readonly tools: number };
  readonly sources: readonly { readonly tools: number; readonly channel?: string }[];
}

test('every command that counts tools comes to the same number', async () => {
  await using home = await createHome(files);
  const place = { home: home.path, env };
  const { tools } = await pegboardJson<{ tools: readonly { listed: boolean }[] }>(['tools'], place);
  const count = tools.length;

  const status = await pegboardJson<Status>(['status'], place);
  expect(status.registry.tools).toBe(count);
  const sum = (some: Status['sources']): number => some.reduce((total, one) => total + one.tools, 0);
  const ofChats = status.sources.filter(({ channel }) => channel !== undefined);
  expect(sum(ofChats)).toBeGreaterThan(0);
  expect(sum(status.sources) - sum(ofChats)).toBe(count);

  expect((await pegboard(['doctor'], place)).stdout).toContain(`${count} can be called`);
  await using session = startOnTerminal([], place);
  await session.waitFor(new RegExp(` · ${count} tools`));
  session.child.stdin.write(`quit${keys.enter}`);
});

test('`tools` says how many are shown to a model and by which preset, as many as `agents` and `inject` do', async () => {
  await using home = await createHome(files);
  const place = { home: home.path };
  const { tools: sent } = await pegboardJson<{ tools: readonly unknown[] }>(
    ['inject', '--mode', 'direct'],
    place,
  );
  const { agents } = await pegboardJson<{ agents: readonly { tools: number; listed: number }[] }>(
    ['agents'],
    place,
  );
  const { tools: all } = await pegboardJson<{ tools: readonly { listed: boolean }[] }>(['tools'], place);
  expect(agents).toEqual([expect.objectContaining({ tools: all.length, listed: sent.length })]);
  expect(all.filter(({ listed }) => listed)).toHaveLength(sent.length);
  const { stderr } = await pegboard(['tools'], place);
  expect(stderr).toContain(`${sent.length} of ${all.length} are shown`);
  expect(stderr).toContain('(preset lean)');
});

test('with the preset full, `tools` does not say how to show more', async () => {
  await using home = await createHome({ ...files, 'pegboard.yaml': 'preset: full' });
  const { stderr } = await pegboard(['tools'], { home: home.path });
  expect(stderr).toContain('(preset full); the others find tools, or are second names of tools.');
});
