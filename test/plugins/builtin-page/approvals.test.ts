import { afterAll, beforeAll, expect, test } from 'vitest';
import { pendingIn } from '../../../host/approvals/pending-in-host.ts';
import { pegboard } from '../../kit/cli.ts';
import { manifest } from '../../kit/homes/home.ts';
import { servePage, type ServedPage } from '../../kit/web/served-page.ts';
import type { OpenQuestionRow, PendingRow, QuestionOutcome } from '../../../plugins/builtin-page/wire.ts';

let page: ServedPage;
beforeAll(async () => {
  page = await servePage({
    'pegboard.yaml': 'spaces: { theirs: { trusted: false } }\n',
    'spaces/work/agent/tools/note.md': manifest(
      'note',
      'parameters: [{ name: text, type: string, required: true }]\ncommand: "echo {{text}} >> notes"\nconfirm: true',
    ),
    'spaces/theirs/space.manifest.json': JSON.stringify({ name: 'Theirs', description: 'Of somebody else' }),
    'spaces/theirs/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  });
});
afterAll(() => page[Symbol.asyncDispose]());

/** Starts a call that asks, and waits for its question. */
async function asking(
  text: string,
): Promise<{ readonly id: number; readonly called: ReturnType<ServedPage['ask']> }> {
  const called = page.ask('call', { body: { tool: 'work.note', args: { text } } });
  for (;;) {
    const { body } = await page.ask('questions');
    const { open } = body as { readonly open: readonly OpenQuestionRow[] };
    const found = open.find(({ detail }) => detail.includes(text));
    if (found) return { id: found.id, called };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const answer = async (id: number, decision: string): Promise<QuestionOutcome> =>
  (await page.ask(`question/${id}`, { body: { decision } })).body;

test('a question is shown as it is, and its answer runs the call or declines it', async () => {
  const allowed = await asking('first');
  expect(await answer(allowed.id, 'once')).toMatchObject({ counts: true, decided: { by: 'the page' } });
  expect(await allowed.called).toMatchObject({ status: 200, body: { ok: true } });
  const declined = await asking('second');
  expect(await answer(declined.id, 'no')).toMatchObject({ counts: true });
  expect(await declined.called).toMatchObject({ body: { ok: false, error: { code: 'PEG_DECLINED' } } });
  expect(await page.home.read('spaces/work/notes')).toBe('first\n');
});

test('of many answers at once one counts, and every other is told which', async () => {
  for (let round = 0; round < 10; round++) {
    const text = `race-${round}`;
    const { id, called } = await asking(text);
    const decisions = Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0 ? ('once' as const) : ('no' as const),
    );
    const outcomes = await Promise.all(
      decisions.map((decision, at) =>
        at % 3 === 0 ? page.host.questions.answer(id, { decision, by: 'Telegram' }) : answer(id, decision),
      ),
    );
    expect(outcomes.filter((outcome) => outcome!.counts)).toHaveLength(1);
    const [decided] = new Set(outcomes.map((outcome) => JSON.stringify(outcome!.decided)));
    for (const outcome of outcomes) expect(JSON.stringify(outcome!.decided)).toBe(decided);
    const { body } = await called;
    const ran = (JSON.parse(decided!) as { decision: string }).decision === 'once';
    expect(body).toMatchObject({ ok: ran });
    expect((await page.home.read('spaces/work/notes')).includes(text)).toBe(ran);
  }
});

test('another process answers the same question', async () => {
  const { id, called } = await asking('from-the-terminal');
  const { code } = await pegboard(['approvals', 'allow', String(id), '--yes'], { home: page.home.path });
  expect(code).toBe(0);
  expect(await called).toMatchObject({ body: { ok: true } });
  expect(await answer(id, 'no')).toMatchObject({ counts: false, decided: { decision: 'once' } });
});

test('an answer for good needs a code, which counts for ten minutes in this browser alone', async () => {
  const session = await page.signIn();
  const ask = (path: string, body: unknown): ReturnType<ServedPage['ask']> =>
    page.ask(path, { body, session });
  const { id, called } = await asking('for-good');
  const refused = await ask(`question/${id}`, { decision: 'always' });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'PROOF_NEEDED' } } });
  expect(await ask('proof', { code: 'AAAA-AAAA' })).toMatchObject({ body: { isProven: false } });
  const code = page.code();
  expect(await ask('proof', { code: ` ${code.toLowerCase()} ` })).toMatchObject({ body: { isProven: true } });
  // The same code proves nobody else.
  const other = await page.signIn();
  expect(await page.ask('proof', { body: { code }, session: other })).toMatchObject({
    body: { isProven: false },
  });
  expect(await page.ask('proof', { session: other })).toMatchObject({ body: { isProven: false } });
  expect(await ask(`question/${id}`, { decision: 'always' })).toMatchObject({ body: { counts: true } });
  expect(await called).toMatchObject({ body: { ok: true } });
  expect(page.host.approvals.list().map(({ tool }) => tool)).toEqual(['work.note']);
  await page.host.approvals.revoke('work.note');
});

test('five wrong codes sign the browser out', async () => {
  const session = await page.signIn();
  for (let at = 0; at < 5; at++)
    expect(await page.ask('proof', { body: { code: `WRONG-${at}` }, session })).toMatchObject({
      status: 200,
    });
  expect(await page.ask('home', { session })).toMatchObject({ status: 401 });
});

test('a pending approval is given for exactly what was shown, and only with a code', async () => {
  const session = await page.signIn();
  const pending = async (): Promise<PendingRow> => {
    const { body } = await page.ask('pending', { session });
    return (body as { readonly pending: readonly PendingRow[] }).pending.find(
      ({ id }) => id === 'spaces/theirs',
    )!;
  };
  const approve = ({ id, shown }: PendingRow): ReturnType<ServedPage['ask']> =>
    page.ask(`pending/${id}`, { body: { shown }, session });
  const whole = await pending();
  expect(await approve(whole)).toMatchObject({ status: 403, body: { error: { code: 'PROOF_NEEDED' } } });
  await page.ask('proof', { body: { code: page.code() }, session });
  // A new space is more than the page shows.
  expect(whole.isComplete).toBe(false);
  expect(await approve(whole)).toMatchObject({
    status: 422,
    body: {
      error: { code: 'PEG_DENIED', message: expect.stringContaining('approvals allow spaces/theirs') },
    },
  });
  expect(page.host.registry.snapshot.find('theirs.greet')).toBeUndefined();
  await pendingIn(page.host)
    .find(({ id }) => id === 'spaces/theirs')!
    .review()
    .approve();
  await page.home.write('spaces/theirs/agent/tools/greet.md', manifest('greet', 'command: echo hello again'));
  await expect.poll(async () => (await pending())?.detail).toContain('echo hello again');
  const shown = await pending();
  expect(shown.isComplete).toBe(true);
  await page.home.write('spaces/theirs/agent/tools/greet.md', manifest('greet', 'command: echo changed'));
  const stale = await approve(shown);
  expect(stale).toMatchObject({ status: 422, body: { error: { code: 'PEG_DENIED' } } });
  await expect.poll(async () => (await pending()).detail).toContain('echo changed');
  expect(await approve(await pending())).toMatchObject({ status: 200 });
  expect(await pending()).toBeUndefined();
});
