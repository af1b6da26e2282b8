import {
  type AnsweredInstead,
  mergeWritten,
  parseJson,
  type PickedFile,
  type Question,
  type ReceivedFile,
  toJson,
} from 'pegboard';
import { AnsweredElsewhere } from 'pegboard/kit';
import type { DriverParts } from '../driver-parts.ts';
import { createEditQuestion } from './edit-question.ts';
import { sendQuestion } from './send-question.ts';
import { stepsOf, type AskedStep, type Step, type StepAnswer } from './steps.ts';
import type { AskPlace, AskStore, StoredAsk } from './store.ts';
import { blocksOf } from './view.ts';

/** Milliseconds to wait for an answer to an approval, and to any other question. */
const approvalTimeoutMs = 5 * 60_000;
const questionTimeoutMs = 60 * 60_000;
/** Milliseconds between two looks whether the answer came to another host. */
const lookMs = 1_000;
/** The host's own limit for approvals may end this much earlier. */
const roundingMs = 2_000;

/** An answer, with the name of the person and the token of the question. */
export type Answered = StepAnswer & { readonly by: string; readonly token: string };

interface Decision {
  readonly label: string;
  readonly by: string;
  readonly message: string | null;
}

export type AskStepsOptions = Pick<DriverParts, 'driver' | 'title' | 'messages' | 'clock' | 'log'> & {
  readonly store: AskStore;
  readonly signal: AbortSignal;
  /** Saves a file that somebody has sent as an answer. Throws with a message for the person. */
  readonly receivePicked: (file: ReceivedFile) => Promise<PickedFile>;
};

/** Single questions: each is one message in a chat with one answer. */
export interface AskSteps {
  /** Asks, or finds the question already asked, and waits. Undefined: nobody answered in time. */
  ask(where: AskPlace, question: Question, index: number, signal: AbortSignal): Promise<Answered | undefined>;
  /** Records an answer. False: the question was no longer open. */
  decide(ask: StoredAsk, answer: StepAnswer, decision: Decision): Promise<boolean>;
  /** Closes a question because it was answered elsewhere. Doesn't wait for the service. */
  withdraw(token: string, outcome: AnsweredInstead): Promise<void>;
  close(ask: StoredAsk, outcome: string): Promise<void>;
}

export function createAskSteps(options: AskStepsOptions): AskSteps {
  const { store, driver, messages, clock } = options;
  const edit = createEditQuestion(options);
  const waiting = new Map<string, () => void>();

  const closeOne = async (ask: StoredAsk, outcome: string): Promise<void> => {
    const closed = await store.move(ask.token, ask.state, 'closed');
    if (closed && ask.state === 'open') await edit(ask, outcome);
  };

  const withdraw = async (token: string, { message }: AnsweredInstead): Promise<void> => {
    const ask = await store.byToken(token);
    if (!ask) return;
    await store.move(token, ask.state, 'closed', { answer: toJson({ instead: message }) });
    void edit(ask, `☑️ ${message}`);
  };

  const askStep = async (
    where: AskPlace,
    question: Question,
    index: number,
    signal: AbortSignal,
  ): Promise<Answered | undefined> => {
    const step = stepsOf(question)[index]!;
    const { kind, schema, url, labels, multiple, takesInstead } = question;
    const asked = { question: { kind, schema, url, labels, multiple, takesInstead }, index } as AskedStep;
    const limit = question.detail === undefined ? questionTimeoutMs : approvalTimeoutMs;
    const ask = await store.open(where, {
      blocks: toJson(blocksOf(question, step, driver)),
      choices: step.choices ? toJson(step.choices) : null,
      step: toJson(asked),
      expires_at: new Date(Date.now() + limit).toISOString(),
    });
    const decided = Promise.withResolvers<void>();
    waiting.set(ask.token, decided.resolve);
    using timer = new DisposableStack();
    timer.defer(() => waiting.delete(ask.token));
    if (ask.state === 'open' && ask.message === null) await show(where, ask, step, signal);
    const ended = new AbortController();
    timer.defer(() => ended.abort());
    // A button may have been pressed while the question was being sent, before a restart, or on another host.
    const look = async (): Promise<void> => {
      if ((await store.byToken(ask.token))?.state === 'decided') decided.resolve();
    };
    await look();
    const looking = setInterval(() => void look().catch(() => {}), lookMs);
    timer.defer(() => clearInterval(looking));
    const left = Math.max(0, Date.parse(ask.expires_at) - Date.now());
    const anyEnd = AbortSignal.any([signal, ended.signal]);
    const over = clock.sleep(left, anyEnd).then(() => (anyEnd.aborted ? 'stopped' : 'late'));
    const outcome = await Promise.race([decided.promise, over]);
    if (outcome === undefined && (await store.move(ask.token, 'decided', 'used'))) {
      const answer = parseJson((await store.byToken(ask.token))!.answer!) as Answered;
      return mergeWritten(answer, { token: ask.token });
    }
    if (signal.reason instanceof AnsweredElsewhere) {
      await withdraw(ask.token, signal.reason);
      throw signal.reason;
    }
    // Stopping a turn closes its questions; when the host stops, they stay open until it restarts.
    const isOver = Date.parse(ask.expires_at) - Date.now() < roundingMs;
    if (outcome === 'stopped' && !isOver) signal.throwIfAborted();
    const now = await store.byToken(ask.token);
    if (now) await closeOne(now, '⌛ Nobody answered in time');
    return undefined;
  };

  const show = async (where: AskPlace, ask: StoredAsk, step: Step, signal: AbortSignal): Promise<void> => {
    const message = await sendQuestion(where, ask, step, { driver, messages, store, clock, signal });
    if (!(await store.move(ask.token, 'open', 'open', { message })))
      await store.move(ask.token, 'decided', 'decided', { message });
  };

  const decide = async (
    ask: StoredAsk,
    answer: StepAnswer,
    { label, by, message }: Decision,
  ): Promise<boolean> => {
    const changes = { answer: toJson(mergeWritten(answer, { by })), ...(message !== null && { message }) };
    if (!(await store.move(ask.token, 'open', 'decided', changes))) return false;
    waiting.get(ask.token)?.();
    await edit({ ...ask, message }, `${markOf(answer)} ${label} — ${by}`);
    return true;
  };

  return {
    ask: askStep,
    decide,
    withdraw,
    close: closeOne,
  };
}

const markOf = ({ action }: StepAnswer): string =>
  action === 'accept' ? '✅' : action === 'skip' ? '➖' : '🚫';
