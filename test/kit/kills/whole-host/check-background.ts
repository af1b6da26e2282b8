import { ruleTiming } from '../../../../plugins/builtin-core/schedule/timing.ts';
import type { World } from './world.ts';

export type Row = { readonly [column: string]: unknown };
export type Expect = (holds: boolean, what: string) => void;

/** Checks that every occurrence is recorded, and that every interrupted run was reported. */
export function checkSchedules({ telegram }: World, rows: (sql: string) => Row[], expect: Expect): void {
  const runs = rows('select * from scheduler_runs');
  for (const { id, cron, timezone, created_at, handled_until } of rows(
    'select * from scheduler_schedules where cron is not null',
  )) {
    const counted = ruleTiming(String(cron), String(timezone)).count(
      Date.parse(String(created_at)),
      Date.parse(String(handled_until)),
    );
    const recorded = runs
      .filter((run) => run['schedule_id'] === id)
      .reduce((sum, run) => sum + 1 + Number(run['missed']), 0);
    expect(recorded === counted, `schedule ${String(id)} came ${counted} times, ${recorded} are recorded`);
  }
  const once = rows("select id from scheduler_schedules where run_at is not null and state = 'done'");
  for (const { id } of once)
    expect(
      runs.filter((run) => run['schedule_id'] === id).length === 1,
      `schedule ${String(id)} is done without a run`,
    );
  const sent = telegram.messages.filter(({ from }) => from === telegram.bot);
  const notices = rows("select text from channels_messages where chat = 'cli'").map(({ text }) =>
    String(text),
  );
  for (const run of runs) {
    const what = JSON.stringify(run);
    expect(['done', 'uncertain', 'skipped'].includes(String(run['state'])), `a run failed: ${what}`);
    const { reply } = run;
    if (typeof reply !== 'string') continue;
    const isSent =
      run['delivery'] === 'delivered' && sent.some(({ text }) => text.startsWith(asShown(reply)));
    // After a broken connection it is unknown whether the message arrived, which is reported at the terminal.
    const isToldOf = run['delivery'] === 'failed' && notices.some((text) => text.includes(reply));
    expect(isSent || isToldOf, `a reply is nowhere: ${what}`);
  }
  const replies = new Set(runs.map((run) => run['reply']).filter((reply) => typeof reply === 'string'));
  for (const reply of replies) {
    const those = runs.filter((run) => run['reply'] === reply);
    // A repeated message says so, except reports of uncertainty.
    if (!those.every(({ state }) => state === 'done')) continue;
    const times = sent.filter(({ text }) => text === asShown(reply)).length;
    expect(times <= those.length, `"${reply}" was sent ${times} times for ${those.length} runs`);
  }
}

/** Telegram shows a call as code, without its marks. */
const asShown = (reply: string): string => reply.replaceAll('`', '');

/** Checks that each job is stored and its end reported, once or with a note. */
export function checkJobs(
  { telegram, delivered }: World,
  rows: (sql: string) => Row[],
  expect: Expect,
): void {
  const jobs = rows('select * from jobs');
  const sent = telegram.messages.filter(({ from }) => from === telegram.bot);
  for (const { id, tool, state, announcement } of jobs) {
    // The last host was stopped before the job ended: the next one would report it.
    if (tool === 'hang' && state === 'interrupted' && announcement === null) continue;
    const own = sent.filter(({ text }) => text.startsWith(`Job ${String(id)} `));
    expect(
      announcement === 'delivered' && own.length > 0,
      `job ${String(id)} is ${String(state)} and was not reported`,
    );
    expect(
      own.length < 2 || own.some(({ text }) => text.includes('second time')),
      `job ${String(id)} was reported ${own.length} times`,
    );
  }
  for (const { name, result } of delivered) {
    const [, id] = (name === 'background_run' && /Job (\d+)/.exec(result)) || [];
    if (id !== undefined)
      expect(
        jobs.some((job) => job['id'] === Number(id)),
        `lost: job ${id}`,
      );
  }
}
