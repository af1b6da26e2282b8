import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configFor } from '../../../kit/homes/agent-home.ts';
import { createHome, type TestHome } from '../../../kit/homes/home.ts';
import { pegboardJson, startPegboard } from '../../../kit/cli.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';

/** A tool that has an effect, and takes far longer than a host that stops. */
const slow = (notes: string): string => `---
id: slow
name: slow
description: Notes that it began, and takes long
command: echo begun >> ${notes}; sleep 60
---
`;

interface Run {
  readonly state: string;
  readonly error: string | null;
  readonly reply: string | null;
}

const lastRun = async (home: TestHome): Promise<Run | undefined> =>
  (await pegboardJson<{ runs: readonly Run[] }>(['schedule', 'runs', '1'], { home: home.path })).runs[0];

test('a run that waits for its model when the host is stopped is continued by the next host', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using model = await startScriptedModel(async () => {
    asked.resolve();
    await answer.promise;
    return { text: 'All is well' };
  });
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  await pegboardJson(['schedule', 'add', 'in 0 seconds', 'Look'], { home: home.path });
  await using first = startPegboard(['start'], { home: home.path });
  await asked.promise;
  first.child.kill('SIGTERM');
  await first.ended;
  expect(await lastRun(home)).toMatchObject({ state: 'running' });
  answer.resolve();
  await using _second = startPegboard(['start'], { home: home.path });
  await expect.poll(() => lastRun(home)).toMatchObject({ state: 'done', reply: 'All is well' });
});

test('a call that was cut off when the host is stopped is uncertain, and not repeated', async () => {
  await using model = await startScriptedModel((request) =>
    request.messages.at(-1)?.role === 'tool'
      ? { text: 'done' }
      : { toolCalls: [{ name: 'slow', arguments: {} }] },
  );
  await using home = await createHome({ 'pegboard.yaml': configFor(model) });
  const notes = join(home.path, 'notes.txt');
  await home.write('spaces/own/agent/tools/slow.md', slow(notes));
  const at = { home: home.path };
  const begun = (): string => {
    try {
      return readFileSync(notes, 'utf8');
    } catch {
      return '';
    }
  };
  await pegboardJson(['schedule', 'add', 'in 0 seconds', 'Do it'], at);
  await using first = startPegboard(['start'], at);
  await expect.poll(begun).toBe('begun\n');
  first.child.kill('SIGTERM');
  await first.ended;
  await using _second = startPegboard(['start'], at);
  await expect.poll(() => lastRun(home)).not.toMatchObject({ state: 'running' });
  expect(begun()).toBe('begun\n');
  expect(await lastRun(home)).toMatchObject({
    reply: expect.stringMatching(/during this: `own\.slow.*Whether it took effect is unknown/) as string,
  });
});
