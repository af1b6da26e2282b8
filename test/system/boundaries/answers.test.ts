import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Question } from '../../../host/api/ask.ts';
import type { CallRequest } from '../../../host/api/dispatch.ts';
import { choicesOf } from '../../../host/core/choices.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { openBoundedHome, type BoundedHome } from './homes.ts';

let home: BoundedHome;
beforeAll(async () => {
  home = await openBoundedHome('fresh');
});
afterAll(() => home[Symbol.asyncDispose]());

/** Writes, and returns the questions that were asked, all with the same answer. */
async function write(
  path: string,
  answer: string | undefined,
  request: Partial<CallRequest> = {},
): Promise<readonly Question[]> {
  const asked: Question[] = [];
  const { error } = await home.host.dispatch({
    name: 'write',
    args: { path, content: `${path}\n` },
    scope: home.host.scopeFor('work'),
    caller: 'mcp:client',
    conversation: 'one',
    ...(answer !== undefined && {
      ask: async (question) => {
        asked.push(question);
        return { action: 'accept', content: { answer } };
      },
    }),
    ...request,
  });
  expect(error?.message).toBeUndefined();
  return asked;
}

test('the workspace and a folder with write: free are free, for the agent whose they are', async () => {
  for (const path of ['spaces/work/workspace/a/b.md', join(home.free, 'x/y.txt')])
    expect(await write(path, undefined)).toEqual([]);
  const [question] = await write('spaces/work/workspace/theirs.md', 'once', {
    scope: home.host.scopeFor('other'),
  });
  expect(question?.message).toContain('is not in a workspace');
});

test('a question shows the difference and offers more than once', async () => {
  const [question] = await write('reports/may.md', 'once');
  expect(question?.detail).toContain('+reports/may.md');
  expect(choicesOf(question?.schema)).toEqual(['once', 'file', 'folder']);
  expect(await write('reports/may.md', 'once'), 'once is once').toHaveLength(1);
});

test('an answer for a file holds for that file and this conversation', async () => {
  expect(await write('plans/one.md', 'file')).toHaveLength(1);
  expect(await write('plans/one.md', undefined)).toEqual([]);
  expect(await write('plans/two.md', 'once')).toHaveLength(1);
  expect(await write('plans/one.md', 'once', { conversation: 'another' })).toHaveLength(1);
});

test('an answer for a folder holds beneath it, but never for what is guarded', async () => {
  expect(await write('texts/a.md', 'folder')).toHaveLength(1);
  for (const path of ['texts/b.md', 'texts/deep/er/c.md']) expect(await write(path, undefined)).toEqual([]);
  expect(await write('texts2/b.md', 'once')).toHaveLength(1);
  for (const path of ['texts/package.json', 'texts/.git/config', 'texts/deep/Makefile']) {
    const [question, ...more] = await write(path, 'once');
    expect([question?.schema, more]).toEqual([undefined, []]);
  }
});

test('what is guarded is asked each time, says why, and offers nothing broader', async () => {
  for (let round = 0; round < 2; round++) {
    const [question] = await write('plugins/mine/new.ts', 'once');
    expect(question?.message).toMatch(/plugins decides what runs.*each change is asked about/);
    expect(question?.schema).toBeUndefined();
  }
});

test('where every request is by itself only once is offered', async () => {
  const asked: Question[] = [];
  await home.host.dispatch({
    name: 'write',
    args: { path: 'alone.md', content: 'x' },
    scope: home.host.scopeFor('work'),
    caller: 'mcp:client',
    ask: async (question) => {
      asked.push(question);
      return { action: 'decline' };
    },
  });
  expect(asked[0]?.schema).toBeUndefined();
  expect(existsSync(join(home.path, 'alone.md'))).toBe(false);
});

test('a person is asked nothing, and a program that embeds a host neither', async () => {
  for (const path of ['spaces/work/agents/mine.yaml', 'plugins/mine/more.ts', 'by-hand.md']) {
    expect(await write(path, undefined, { scope: hostScope, caller: 'cli' })).toEqual([]);
    expect(readFileSync(join(home.path, path), 'utf8')).toBe(`${path}\n`);
  }
});
