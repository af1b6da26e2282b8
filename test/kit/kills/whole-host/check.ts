import { hash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { leftBehind } from '../../../../bench/soak/left-behind.ts';
import { auditFileOf, type AuditLine } from '../../../../host/store/audit.ts';
import { databaseFileOf } from '../../../../host/store/database/file.ts';
import { openState } from '../../../../host/store/files/state.ts';
import { canonicalJson } from '../../../../host/tools/fingerprint.ts';
import { checkHome } from '../check.ts';
import type { Done } from '../done.ts';
import { answerTo, usesOf } from './asks.ts';
import { checkJobs, checkSchedules, type Expect, type Row } from './check-background.ts';
import type { DeliveredCall } from './model.ts';
import { answersTo, isReportedUncertain, type World } from './world.ts';

export interface WholeFindings {
  readonly violations: readonly string[];
  readonly fires: number;
  readonly uncertain: number;
  /** Messages and runs of schedules that nobody went on with. */
  readonly givenUp: number;
}

/** Checks a home whose last host has ended, and what the outside world got from it. */
export async function checkWorld(world: World): Promise<WholeFindings> {
  const { home, delivered } = world;
  const found = checkHome(home.path, [...world.done, ...delivered.flatMap(doneBy)]);
  const violations = [...found.violations];
  const expect: Expect = (holds, what) => void (holds || violations.push(what));
  using database = new DatabaseSync(databaseFileOf(home.path), { readOnly: true });
  const rows = (sql: string): Row[] => database.prepare(sql).all();
  checkAnswers(world, rows, expect);
  checkEffects(world, expect);
  checkSchedules(world, rows, expect);
  checkJobs(world, rows, expect);
  checkAudit(world, expect);
  for (const { message } of openState(join(home.path, 'data/state.json')).diagnostics) expect(false, message);
  for (const line of await leftBehind(home.path, () => false)) expect(false, `still running: ${line}`);
  const files = readdirSync(home.path, { recursive: true, encoding: 'utf8' });
  for (const file of files) expect(!/\.(tmp|lock|unfinished)(\.|$)/.test(file), `left over: ${file}`);
  const [{ uncertain, givenUp }] = rows(
    `select (select count(*) from channel_events where state = 'uncertain')
          + (select count(*) from tool_calls where uncertain = 1)
          + (select count(*) from jobs where state = 'interrupted') as uncertain,
        (select count(*) from channel_events where state = 'uncertain' and parts is null)
          + (select count(*) from scheduler_runs where state = 'uncertain') as givenUp`,
  ) as [{ uncertain: number; givenUp: number }];
  return { violations, fires: found.fires, uncertain, givenUp };
}

/** The data that is stored according to a result that the model has read. */
function doneBy({ name, arguments: args, result }: DeliveredCall): Done[] {
  const [, id] = /#(\d+)|[Ss]chedule (\d+)/.exec(result)?.filter((part) => part !== undefined) ?? [];
  switch (name) {
    case 'memory_store':
      return [{ stored: Number(id), content: String(args['content']) }];
    case 'schedule_create':
      return [{ scheduled: Number(id), text: String(args['instruction']) }];
    case 'write':
      return /Created|Replaced/.test(result)
        ? [{ file: String(args['path']), version: Number(/\d+/.exec(String(args['path']))![0]) }]
        : [{ error: `write: ${result}` }];
    default:
      return [];
  }
}

/**
 * Checks that each question is answered once or reported as uncertain, and that it and its answer are in the
 * conversation.
 */
function checkAnswers({ telegram, asks }: World, rows: (sql: string) => Row[], expect: Expect): void {
  const stored = rows("select text from messages where role = 'assistant'").map(({ text }) => String(text));
  const messages = new Set(rows("select text from messages where role = 'user'").map((row) => row['text']));
  for (const { number, user, message } of asks) {
    const answers = answersTo(telegram, number, user);
    expect(answers <= 1, `ask ${number} was answered ${answers} times`);
    expect(answers === 1 || isReportedUncertain(telegram, message, user), `ask ${number} was not answered`);
    if (answers === 0) continue;
    expect(messages.has(`ask ${number}`), `lost: the message of ask ${number}`);
    // A call that was cut off is named after the answer.
    const isStored = stored.some((text) => text.startsWith(answerTo(number)));
    expect(isStored, `lost: the answer to ask ${number}`);
  }
  expect(telegram.pending === 0, `${telegram.pending} updates were not confirmed`);
}

const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];

/** Checks that nothing with an effect happens twice, and that everything reported to a model has happened. */
function checkEffects({ home, delivered, asks }: World, expect: Expect): void {
  const files = {
    note: 'spaces/s/notes.txt',
    counter__count: 'counted',
    tally_mark: 'marks',
    later: 'spaces/s/laters.txt',
  };
  for (const [name, file] of Object.entries(files)) {
    const lines = linesOf(join(home.path, file));
    const twice = lines.filter((line, at) => lines.indexOf(line) !== at);
    expect(twice.length === 0, `${name} happened twice for ${twice.join()}`);
    for (const { name: used, arguments: args, result } of delivered)
      if (used === name && typeof args['text'] === 'string' && /It is \w+ed|\bnoted/.test(result))
        expect(lines.includes(args['text']), `${name} did not happen for ${args['text']}`);
  }
  expect(
    asks.some(({ number }) => usesOf(number).length > 0),
    'nothing was used',
  );
}

/** Checks that each call whose result was delivered is in the audit. */
function checkAudit({ home, delivered }: World, expect: Expect): void {
  const lines = linesOf(auditFileOf(home.path)).map((line) => JSON.parse(line) as AuditLine);
  for (const { name, arguments: args, result } of delivered) {
    const digest = hash('sha256', canonicalJson(args)).slice(0, 16);
    const [failure] = /PEG_[A-Z_]+/.exec(result) ?? [];
    const found = lines.some(({ tool, args: written, outcome }) =>
      failure === undefined
        ? written === digest && tool.endsWith(name.replace('__', '.'))
        : outcome === failure,
    );
    expect(found, `no line in the audit for ${name} ${JSON.stringify(args).slice(0, 100)}: ${result}`);
  }
}
