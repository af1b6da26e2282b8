import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../host/core/async/clock.ts';
import type { RunningCli } from '../../../kit/cli.ts';
import type { TestHome } from '../../../kit/homes/home.ts';
import { atPrompt, keys, startOnTerminal } from '../../../kit/pty.ts';
import {
  agreeing,
  answered,
  declining,
  escape,
  expectOneAnswerEach,
  homeThatAsks,
  onSystemNode,
  paste,
} from './asking.ts';

const startPrompt = (home: TestHome): RunningCli =>
  startOnTerminal([], { home: home.path, env: { HOME: `${home.path}/user` } });

/** Tab is a key that only Pegboard's own editor completes: on a terminal in any other state it is printed. */
async function typesOn(session: RunningCli, round: number): Promise<void> {
  // What is typed while something runs is kept, but Tab completes only at the prompt.
  await atPrompt(session);
  session.child.stdin.write(`gree${keys.tab}`);
  await session.next(/pegboard › greet $/m);
  session.child.stdin.write(`name=Ada${round}${keys.enter}`);
  await session.next(new RegExp(`^Hello Ada${round}\\s[^]*pegboard › `, 'm'));
}

interface Kind {
  readonly line: string;
  readonly question: RegExp;
  /** Keys, and their effect. */
  readonly answers: readonly (readonly [pressed: string, outcome: RegExp])[];
}

const notRun = /was not run/;
const closed = /was not run: its question was closed without an answer, by the person at the terminal/;
const notApproved = /Nothing was approved/;
const kinds: { readonly [what: string]: Kind } = {
  'a confirmation': {
    line: 'ask',
    question: /Run work\.ask\?[^]*Always[^]*● No/,
    answers: [
      [keys.enter, notRun],
      [keys.enter, notRun],
      ['y', /^ran/m],
      ['Y', /^ran/m],
      ['n', notRun],
      [keys.ctrlD, notRun],
      [keys.ctrlD, notRun],
      [keys.ctrlC, closed],
      [keys.ctrlC, closed],
      [escape, notRun],
      [`${paste('y')}n`, notRun],
      [`${keys.down}${keys.enter}`, /^ran/m],
      ['a', /^ran/m],
    ],
  },
  'a question of yes or no': {
    line: 'approvals allow dice',
    question: /Run the code of dice[^]*● No/,
    answers: [
      [keys.enter, notApproved],
      [keys.enter, notApproved],
      [keys.ctrlD, notApproved],
      [keys.ctrlC, notApproved],
      ['n', notApproved],
      ['y', /dice is trusted/],
    ],
  },
  'a page to open': {
    line: 'call asks.url',
    question: /Log in[^]*https:\/\/example\.com\/login[^]*● Decline/,
    answers: [
      [keys.enter, /"action":"decline"/],
      [keys.enter, /"action":"decline"/],
      ['y', /"action":"accept"/],
      [keys.ctrlD, /"action":"cancel"/],
      [keys.ctrlC, /"action":"cancel"/],
      ['n', /"action":"decline"/],
    ],
  },
  'a form of an MCP server': {
    line: 'call asks.form',
    question: /Who are you\?[^]*● Decline/,
    answers: [
      [keys.enter, /"action":"decline"/],
      [keys.enter, /"action":"decline"/],
      [keys.ctrlD, /"action":"cancel"/],
      ['n', /"action":"decline"/],
    ],
  },
  'a choice': {
    line: `call ask_user question=Which? 'choices=["red","green"]'`,
    question: /Which\?[^]*red \(1\)[^]*green \(2\)[^]*● None of these/,
    answers: [
      [keys.enter, /The user declined/],
      [keys.enter, /The user declined/],
      ['2', /^green/m],
      ['1', /^red/m],
      [keys.ctrlD, /without an answer/],
      [keys.ctrlC, /without an answer/],
      [`${keys.down}${keys.enter}`, /^red/m],
    ],
  },
  'a secret': {
    line: 'secret set TOKEN',
    question: /Value for TOKEN/,
    answers: [
      [keys.ctrlD, /› /],
      [keys.ctrlC, /› /],
      [`hidden${keys.ctrlD}`, /› /],
      [`first${keys.enter}`, /TOKEN is stored/],
      [`second${keys.enter}`, /TOKEN is stored/],
    ],
  },
  'a list to pick from': {
    line: 'mcp import',
    question: /Which ones\?[^]*other/,
    answers: [
      [keys.enter, /› /],
      [keys.ctrlD, /› /],
      [keys.ctrlC, /› /],
      [` ${keys.enter}`, /imported: other/],
    ],
  },
  'a tool to choose': {
    line: 'a salutation, please',
    question: /Which tool\?[^]*None of these/,
    answers: [
      [keys.ctrlD, /› /],
      [keys.ctrlC, /› /],
      [`${keys.up}${keys.enter}`, /› /],
    ],
  },
  'a field to fill in': {
    line: 'call greet',
    question: /name/,
    answers: [
      [keys.ctrlD, /Not run/],
      [keys.ctrlC, /Not run/],
      [`Bob${keys.ctrlD}`, /Not run/],
      [`Bob${keys.enter}`, /^Hello Bob/m],
      [`Eve${keys.enter}`, /^Hello Eve/m],
    ],
  },
};

describe.each(Object.entries(kinds))('%s, asked in the prompt', (_what, { line, question, answers }) => {
  test('allows nothing by Enter alone, is answered by its keys, and the prompt goes on', async () => {
    await using home = await homeThatAsks();
    await using session = startPrompt(home);
    await session.next(/pegboard › /);
    for (const [round, [pressed, outcome]] of answers.entries()) {
      session.child.stdin.write(`${line}${keys.enter}`);
      await session.next(question);
      session.child.stdin.write(pressed);
      await session.next(outcome);
      await typesOn(session, round);
    }
    session.child.stdin.write(keys.ctrlD);
    expect(await session.ended).toMatchObject({ code: 0 });
  });
});

test('a form that is to be answered asks field by field, twice in a row', async () => {
  await using home = await homeThatAsks();
  await using session = startPrompt(home);
  const { stdin } = session.child;
  await session.next(/pegboard › /);
  for (const [round, name] of ['Ann', 'Bea'].entries()) {
    stdin.write(`call asks.form${keys.enter}`);
    await session.next(/Who are you\?[^]*● Decline/);
    stdin.write('y');
    await session.next(/Set anything else\?/);
    stdin.write(` ${keys.enter}`);
    await session.next(/optional/);
    stdin.write(`${name}${keys.enter}`);
    await session.next(new RegExp(`"name":"${name}"`));
    await typesOn(session, round);
  }
});

test('where nothing is asked before a tool runs, Enter alone chooses none', async () => {
  await using home = await homeThatAsks();
  await using session = startOnTerminal(['--yes'], { home: home.path });
  await session.next(/pegboard › /);
  session.child.stdin.write(`a salutation, please${keys.enter}`);
  await session.next(/Which tool\?[^]*○ work\.greet[^]*● None of these/);
  session.child.stdin.write(keys.enter);
  await session.next(/None of these[^]*pegboard › /);
  await typesOn(session, 1);
});

describe('a command that asks', () => {
  test.each(declining)('does nothing after %s', async (_what, pressed) => {
    expect(await answered(pressed)).toBe('3 not run');
  });

  test.each(agreeing)('goes on after %s', async (_what, pressed) => {
    expect(await answered(pressed)).toBe('0 ran');
  });

  test("does nothing after Enter on a true terminal, and goes on after y, with the system's Node", async () => {
    expect(await answered(keys.enter, onSystemNode)).toBe('3 not run');
    expect(await answered('y', onSystemNode)).toBe('0 ran');
  });

  test('several times takes each answer for one question only', () => expectOneAnswerEach({}));
});

test('a question after stdin has ended is closed, and the call fails', async () => {
  await using home = await homeThatAsks();
  await using session = startOnTerminal(['call', 'ask', '--args', '-'], { home: home.path });
  session.child.stdin.write(`{}\n${keys.ctrlD}`);
  await session.next(closed);
  expect((await session.ended).code).toBe(3);
});

test('what was typed before a question was shown answers nothing', async () => {
  await using home = await homeThatAsks();
  await using call = startOnTerminal(['call', 'ask'], { home: home.path, clock: systemClock });
  // As somebody who doesn't know that it will ask.
  const typing = setInterval(() => call.child.stdin.write('y'), 50);
  await delay(2_000);
  clearInterval(typing);
  await call.next(/Run work\.ask\?[^]*● No/);
  call.child.stdin.write('n');
  const { stdout } = await call.ended;
  expect(stdout).toMatch(notRun);
  expect(stdout).not.toMatch(/^ran/m);
});
