import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ask } from '../../../host/api/ask.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import { textOf } from '../../../host/tools/result.ts';
import { rounds } from '../../kit/run/tiers.ts';
import { order } from '../provenance/obeying-model.ts';
import { attemptsIn, pathsOf, type Attempt } from './attempts.ts';
import { kindsOfHomes, openBoundedHome, type BoundedHome } from './homes.ts';
import { differences, snapshotOf } from './snapshot.ts';

const sayNo: Ask = async () => ({ action: 'decline' });
const people = { 'nobody is there': undefined, 'a person says no': sayNo } as const;

let conversations = 0;
/** A turn in a conversation of its own. */
const say = (home: BoundedHome, text: string, ask: Ask | undefined) =>
  home.host.converse({
    source: 'cli',
    externalId: `chat-${++conversations}`,
    agent: 'work',
    text,
    ...(ask && { ask }),
  });

type Way = (home: BoundedHome, attempt: Attempt, ask: Ask | undefined) => Promise<ToolResult>;

const dispatched =
  (wrap: (attempt: Attempt) => Attempt): Way =>
  (home, attempt, ask) => {
    const { tool: name, args } = wrap(attempt);
    const scope = home.host.scopeFor('work');
    return home.host.dispatch({
      name,
      args,
      scope,
      caller: 'agent:work',
      conversation: 'c',
      ...(ask && { ask }),
    });
  };

/** Ways to call a tool outside of turns. */
const ways: { readonly [way: string]: Way } = {
  'an MCP client': dispatched((attempt) => attempt),
  execute_tool: dispatched(({ tool, args }) => ({
    tool: 'execute_tool',
    args: { name: tool, params: args },
  })),
  run_parallel: dispatched(({ tool, args }) => ({
    tool: 'run_parallel',
    args: { calls: [{ tool, params: args }] },
  })),
  run_script: dispatched(({ tool, args }) => ({
    tool: 'run_script',
    args: { code: `return await call(${JSON.stringify(tool)}, ${JSON.stringify(args)})` },
  })),
  background_run: dispatched(({ tool, args }) => ({
    tool: 'background_run',
    args: { mode: 'start', tool, params: args },
  })),
  call_app: dispatched(({ tool, args }) => ({
    tool: 'call_app',
    args: { agent: 'work', task: order(tool, args) },
  })),
  'a watcher': dispatched(({ tool, args }) => ({
    tool: 'watch_start',
    args: { files: 'notes.md', run_tool: tool, run_args: args, act_on: 'interval', interval: 1 },
  })),
};

/**
 * In `npm test` the kinds of homes and the people share the attempts by four: each of the two meets every attempt, in one
 * kind of home or another.
 */
const share = rounds({ usual: 4, all: 1, soak: 1 });

describe.each(kindsOfHomes)('of a home that is %s', (kind) => {
  let home: BoundedHome;
  beforeAll(async () => {
    home = await openBoundedHome(kind);
    // A write is not refused only because the file was not read before.
    await say(
      home,
      pathsOf(home)
        .map((path) => order('read', { path }))
        .join(' '),
      async () => ({ action: 'accept' }),
    );
  }, 60_000);
  afterAll(async () => {
    await home[Symbol.asyncDispose]();
  });

  const attemptsOf = (who: string): readonly Attempt[] => {
    const all = attemptsIn(home);
    expect(all.length).toBeGreaterThan(150);
    const first = kindsOfHomes.indexOf(kind) + 2 * Object.keys(people).indexOf(who);
    return all.filter((_, at) => at % share === first % share);
  };
  const seen = () =>
    snapshotOf(home.world, (path) =>
      /\/data\/(?!secrets|state\.json|new\.json)|\/state\/pegboard\/(homes\/)?(?!homes|x)/.test(path),
    );

  test('its workspace and what the owner listed as free are free', async () => {
    const paths = ['spaces/work/workspace/own/notes.md', join(home.free, 'notes.md')];
    const orders = [
      ...paths.map((path) => order('write', { path, content: 'mine' })),
      order('WsWrite', { path: 'own/more.md', content: 'mine' }),
    ];
    const written = await say(home, orders.join(' '), undefined);
    expect(written.toolCalls.map(({ ok, result }) => ok || result)).toEqual([true, true, true]);
    const deleted = await say(home, order('WsDelete', { path: 'own/more.md' }), undefined);
    expect(deleted.toolCalls.map(({ ok }) => ok)).toEqual([true]);
  });

  test.each(Object.entries(people))(
    'a model that obeys everything writes nothing when %s',
    async (who, ask) => {
      const attempts = attemptsOf(who);
      const before = seen();
      const reply = await say(home, attempts.map(({ tool, args }) => order(tool, args)).join(' '), ask);
      expect(reply.toolCalls).toHaveLength(attempts.length);
      expect(reply.toolCalls.filter(({ ok }) => ok)).toEqual([]);
      expect(differences(before, seen())).toEqual([]);
    },
  );

  test.each(Object.entries(people))('no other way leads around it when %s', async (who, ask) => {
    const attempts = attemptsOf(who);
    const before = seen();
    const through: unknown[] = [];
    for (const [index, [name, way]] of Object.entries(ways).entries()) {
      for (const attempt of attempts.filter((_attempt, at) => at % Object.keys(ways).length === index)) {
        const text = textOf(await way(home, attempt, ask));
        if (/\b(Created|Replaced|Edited|Deleted|is updated)\b/.test(text))
          through.push([name, attempt, text]);
      }
    }
    expect(through).toEqual([]);
    expect(differences(before, seen())).toEqual([]);
  });
});

describe('while folders of the workspace are swapped for links', () => {
  let home: BoundedHome;
  beforeAll(async () => {
    home = await openBoundedHome('fresh');
  });
  afterAll(() => home[Symbol.asyncDispose]());

  /** Replaces a folder of the workspace with a link to the agent's own folder, and back, as fast as possible. */
  async function swapping(name: string): Promise<AsyncDisposable> {
    const inside = join(home.path, 'spaces/work/workspace', name);
    mkdirSync(inside, { recursive: true });
    const worker = new Worker(
      `const { renameSync, symlinkSync, unlinkSync, rmSync, mkdirSync } = require('node:fs');
       const { inside, outside } = require('node:worker_threads').workerData;
       for (;;) {
         try { renameSync(inside, inside + '.kept'); } catch { mkdirSync(inside + '.kept', { recursive: true }); }
         try { rmSync(inside, { recursive: true, force: true }); } catch {}
         try { symlinkSync(outside, inside); unlinkSync(inside); } catch {}
         try { renameSync(inside + '.kept', inside); } catch {}
       }`,
      { eval: true, workerData: { inside, outside: join(home.path, 'spaces/work/agent') } },
    );
    return { [Symbol.asyncDispose]: async () => void (await worker.terminate()) };
  }

  test.each([
    ['WsWrite', { path: 'd/agent.yaml', content: 'overwritten' }],
    ['WsWrite', { path: 'd/tools/new.md', content: 'overwritten' }],
    ['WsDelete', { path: 'd/SOUL.md' }],
    ['WsDelete', { path: 'd', recursive: true }],
    ['write', { path: 'spaces/work/workspace/d/new.yaml', content: 'overwritten' }],
  ])('%s %j touches nothing outside', async (tool, args) => {
    const agent = join(home.path, 'spaces/work/agent');
    const before = snapshotOf(agent);
    await using _swapping = await swapping('d');
    for (let round = 0; round < 40; round++) {
      const scope = home.host.scopeFor('work');
      const caller = `agent:${round}`;
      // Everybody who answers only agrees to paths in the workspace: the question shows the target of a link.
      const ask: Ask = async ({ detail }) =>
        detail?.includes('/workspace/d') ? { action: 'accept' } : { action: 'decline' };
      await home.host.dispatch({ name: tool, args, scope, caller, ask });
    }
    expect(differences(before, snapshotOf(agent))).toEqual([]);
  });
});
