import { appendFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTraces } from '../../../host/core/traces.ts';
import { pendingIn } from '../../../host/approvals/pending-in-host.ts';
import { auditFileOf } from '../../../host/store/audit.ts';
import { serveWeb } from '../../../plugins/builtin-page/serve-web.ts';
import type { CallRow, LiveEvent } from '../../../plugins/builtin-page/wire.ts';
import { pegboard } from '../../kit/cli.ts';
import { manifest } from '../../kit/homes/home.ts';
import { servePage, type ServedPage, openWeb } from '../../kit/web/served-page.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage({
    'spaces/work/agent/tools/say.md': manifest(
      'say',
      'parameters: [{ name: text, type: string }]\ncommand: echo {{text}}\nreadOnly: true',
    ),
    'spaces/work/agent/tools/nap.md': manifest('nap', 'command: sleep 1'),
    'spaces/work/agent/tools/facts.ts':
      "export default { name: 'facts', description: 'Facts', parameters: { type: 'object' }, execute: () => ({ answer: 42, of: ['life', 'everything'] }) };",
  });
});
afterAll(() => page[Symbol.asyncDispose]());

type Event = LiveEvent & { readonly id: string };

/** Reads events until `isEnough` of the rows seen so far, the last of each id. */
async function rowsUntil(
  events: AsyncGenerator<Event>,
  isEnough: (rows: ReadonlyMap<string, CallRow>) => boolean,
): Promise<{ readonly rows: ReadonlyMap<string, CallRow>; readonly last: string }> {
  const rows = new Map<string, CallRow>();
  let last = '';
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error('the stream has ended');
    last = value.id;
    if (value.type === 'calls') for (const row of value.rows) rows.set(row.id, row);
    if (isEnough(rows)) return { rows, last };
  }
}
const say = (text: string): Promise<unknown> =>
  page.host.dispatch({
    name: 'work.say',
    args: { text },
    scope: page.host.scopeFor(undefined),
    caller: 'test',
  });
const rowOf = (rows: ReadonlyMap<string, CallRow>, text: string): CallRow | undefined =>
  [...rows.values()].find(({ args }) => args?.includes(text));

test('nothing is followed while nobody looks', () => {
  expect(callTraces.start.hasSubscribers).toBe(false);
});

test('a call is shown when it begins and when it ends, with its details', async () => {
  using stop = stopper();
  const events = page.events(stop.signal);
  await events.next();
  void page.host.dispatch({
    name: 'work.nap',
    args: {},
    scope: page.host.scopeFor(undefined),
    caller: 'test',
  });
  const running = await rowsUntil(events, (rows) =>
    [...rows.values()].some(({ tool }) => tool === 'work.nap'),
  );
  const [begun] = [...running.rows.values()].filter(({ tool }) => tool === 'work.nap');
  expect(begun!.outcome).toBeUndefined();
  const { rows } = await rowsUntil(events, (seen) => seen.get(begun!.id)?.outcome !== undefined);
  const ended = rows.get(begun!.id)!;
  expect(ended).toMatchObject({ outcome: 'ok', caller: 'test', by: 'rule', at: begun!.at });
  expect(ended.ms).toBeGreaterThan(900);
  await say('for the details');
  const told = await rowsUntil(events, (seen) => rowOf(seen, 'for the details')?.outcome === 'ok');
  const { body } = await page.ask(`call/${rowOf(told.rows, 'for the details')!.id}`);
  expect(body).toMatchObject({
    args: expect.stringContaining('for the details'),
    result: { ok: true, content: [{ type: 'text', text: expect.stringContaining('for the details') }] },
  });
});

test('a call of another process is shown too', async () => {
  using stop = stopper();
  const events = page.events(stop.signal);
  await events.next();
  await pegboard(['call', 'say', 'text=elsewhere'], { home: page.home.path, apart: true });
  const { rows } = await rowsUntil(events, (seen) =>
    [...seen.values()].some(({ caller }) => caller === 'cli'),
  );
  expect([...rows.values()].find(({ caller }) => caller === 'cli')).toMatchObject({
    tool: 'work.say',
    outcome: 'ok',
    elsewhere: true,
  });
});

test('an interrupted stream goes on where it was', async () => {
  using first = stopper();
  const events = page.events(first.signal);
  await events.next();
  await say('before the break');
  const { last } = await rowsUntil(events, (rows) => rowOf(rows, 'before the break')?.outcome === 'ok');
  first.abort();
  await say('during the break');
  using second = stopper();
  const { rows } = await rowsUntil(
    page.events(second.signal, { after: last }),
    (seen) => rowOf(seen, 'during') !== undefined,
  );
  expect(rowOf(rows, 'before the break')).toBeUndefined();
});

test('what does not fit is counted', async () => {
  using first = stopper();
  const events = page.events(first.signal);
  await events.next();
  await say('the last one seen');
  const { last } = await rowsUntil(events, (rows) => rowOf(rows, 'the last one')?.outcome === 'ok');
  first.abort();
  const missed = 2_500;
  for (let at = 0; at < missed; at += 100)
    await Promise.all(
      Array.from({ length: 100 }, () =>
        page.host.dispatch({
          name: 'nothing',
          args: {},
          scope: page.host.scopeFor(undefined),
          caller: 'test',
        }),
      ),
    );
  // Rows are sent in batches: the one behind them all shows that they were.
  await say('behind them');
  using second = stopper();
  const seen: Event[] = [];
  for await (const event of page.events(second.signal, { after: last })) {
    seen.push(event);
    if (event.type === 'calls' && event.rows.some(({ args }) => args?.includes('behind them'))) break;
  }
  const gap = seen.find((event) => event.type === 'gap');
  const rows = seen.flatMap((event) => (event.type === 'calls' ? event.rows : []));
  expect(gap?.rows).toBeGreaterThan(0);
  expect(new Set(rows.map(({ id }) => id)).size + gap!.rows).toBeGreaterThanOrEqual(missed + 1);
});

test('after a restart nothing is missing, nor twice, and what does not fit is counted', async () => {
  await using page = await servePage();
  const say = (name: string): Promise<unknown> =>
    page.host.dispatch({ name, args: {}, scope: page.host.scopeFor(undefined), caller: 'test' });
  using first = stopper();
  const events = page.events(first.signal);
  await events.next();
  await say('before the restart');
  const seen = await rowsUntil(events, (rows) => [...rows.values()].some(({ outcome }) => outcome));
  first.abort();
  // Calls of another process, while no page is served.
  const audit = Array.from({ length: 2_300 }, (_, at) =>
    JSON.stringify({
      id: `away-${at}`,
      at: new Date(Date.now() + at).toISOString(),
      tool: 'work.say',
      caller: 'mcp:other',
      ms: 0,
      outcome: 'ok',
    }),
  );
  await appendFile(auditFileOf(page.home.path), `${audit.join('\n')}\n`);
  await using web = await openWeb(page.host);
  await using later = await serveWeb(web, 0);
  using second = stopper();
  const rows: CallRow[] = [];
  let left = 0;
  for await (const event of page.events(second.signal, { after: seen.last, origin: later.origin })) {
    if (event.type === 'calls') rows.push(...event.rows);
    if (event.type === 'gap') left += event.rows;
    if (event.type === 'questions') break;
  }
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const away = ids.filter((id) => id.startsWith('away-'));
  expect(away.at(-1)).toBe('away-2299');
  // The last call before may be sent again, under its id.
  expect(ids.length + left - 2_300).toBeOneOf([0, 1]);
  expect(left).toBeOneOf([300, 301]);
});

test('a browser that comes later is shown what runs, and finds the details of what ran', async () => {
  using first = stopper();
  const events = page.events(first.signal);
  await events.next();
  await say('for the second browser');
  await rowsUntil(events, (rows) => rowOf(rows, 'for the second browser')?.outcome === 'ok');
  const napping = page.host.dispatch({
    name: 'work.nap',
    args: {},
    scope: page.host.scopeFor(undefined),
    caller: 'test',
  });
  await rowsUntil(events, (rows) => [...rows.values()].some(({ tool }) => tool === 'work.nap'));
  using second = stopper();
  const { rows } = await rowsUntil(page.events(second.signal, { session: await page.signIn() }), (seen) =>
    [...seen.values()].some(({ tool, outcome }) => tool === 'work.nap' && outcome === undefined),
  );
  const said = rowOf(rows, 'for the second browser')!;
  expect(said.elsewhere).toBeUndefined();
  expect((await page.ask(`call/${said.id}`)).body).toMatchObject({ result: { ok: true } });
  await napping;
});

test('the details of a call have its structured content', async () => {
  await pendingIn(page.host)
    .find(({ id }) => id === 'spaces/work/facts')!
    .review()
    .approve();
  await expect.poll(() => page.host.registry.snapshot.find('facts')).toBeDefined();
  using stop = stopper();
  const events = page.events(stop.signal);
  await events.next();
  await page.host.dispatch({
    name: 'facts',
    args: {},
    scope: page.host.scopeFor(undefined),
    caller: 'test',
  });
  const { rows } = await rowsUntil(events, (seen) =>
    [...seen.values()].some(({ tool, outcome }) => tool.includes('facts') && outcome !== undefined),
  );
  const { id } = [...rows.values()].find(({ tool }) => tool.includes('facts'))!;
  expect((await page.ask(`call/${id}`)).body).toMatchObject({
    result: { structured: { answer: 42, of: ['life', 'everything'] } },
  });
});

/** Ends a stream. */
function stopper(): AbortController & Disposable {
  const controller = new AbortController();
  return Object.assign(controller, { [Symbol.dispose]: () => controller.abort() });
}
