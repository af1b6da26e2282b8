import type { Answer, Ask, Question } from '../api/ask.ts';
import type { MaybePromise } from '../api/result.ts';
import type { Logger } from '../api/log.ts';
import type { Clock } from '../api/surroundings.ts';
import type {
  Choice,
  Decided,
  KeptQuestion,
  NewQuestion,
  OpenQuestion,
  Questions,
} from '../api/questions.ts';
import { AnsweredElsewhere, isAllowed } from '../core/answered-elsewhere.ts';
import { isChoice } from '../core/choices.ts';
import { systemClock } from '../core/async/clock.ts';
import { openDeadline, untilAborted, withinLimit } from '../core/async/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import { kindOf } from '../core/question-kind.ts';

/** Asks the other places that can answer a question. Each resolves with undefined where it is not asked. */
export type AskOthers = (
  question: OpenQuestion,
  signal: AbortSignal,
) => MaybePromise<readonly Promise<Answer | undefined>[]>;

export interface RemoteAnswers {
  readonly questions: Questions;
  readonly others: AskOthers;
}

export interface AskOptions {
  /** Asks where the call comes from. */
  readonly ask: Ask;
  /** The name of that place. */
  readonly here: string;
  /** Undefined: nobody elsewhere can answer. */
  readonly elsewhere: RemoteAnswers | undefined;
  readonly signal: AbortSignal;
  /** Thrown when nobody is left to ask. */
  readonly refusal: Error;
  readonly log: Logger;
  /** Default: the machine's. */
  readonly clock: Clock | undefined;
}

/** What is kept of a question, beside what the question itself says. */
export type KeptAs = Omit<NewQuestion, 'kind' | 'schema' | 'url' | 'multiple' | 'expiresAt'>;

/** Unanswered questions expire: a permission soon, what takes thought or typing later. */
const confirmTimeoutMs = 5 * 60_000;
const answerTimeoutMs = 60 * 60_000;
/** Time for the other channels to withdraw the question and store the outcome, before the call continues. */
const withdrawTimeoutMs = 10_000;
/** How often it is checked whether somebody still looks at the open questions. */
const watchedIntervalMs = 1_000;

/** A decision; `onLost` is called when another one was first. */
export type Candidate = Decided & Pick<Answer, 'onLost' | 'meta'>;

/**
 * Asks where the call comes from and, at the same time, everywhere else that can show the question. The first answer
 * counts, across processes; the others are withdrawn. Resolves when the display here is withdrawn. Throws what `ask` throws.
 */
export async function askEverywhere(
  question: Question,
  kept: KeptAs,
  { ask, here, elsewhere, signal, refusal, log, clock = systemClock }: AskOptions,
): Promise<Candidate> {
  const isConfirmation = kept.choices.length > 0;
  const limitMs = isConfirmation ? confirmTimeoutMs : answerTimeoutMs;
  using deadline = openDeadline(limitMs, signal, clock);
  const withdrawn = new AbortController();
  const open = AbortSignal.any([deadline.signal, withdrawn.signal]);
  const first = Promise.withResolvers<Candidate>();
  const failed = (what: string) => (cause: unknown) => {
    if (!open.aborted) log.warn(what, { tool: kept.tool, cause });
  };

  /** Resolves when none of them asks any more. */
  const askOthers = async (asked: OpenQuestion): Promise<void> => {
    const asking = ((await elsewhere?.others(asked, open)) ?? []).map(async (answering) => {
      const answer = await answering;
      if (answer && answer.action !== 'cancel')
        first.resolve(toCandidate(answer, 'somebody elsewhere', kept.choices));
    });
    await Promise.all(asking.map((one) => one.catch(failed('a question could not be asked elsewhere'))));
  };
  // Databases and pages compare it with the machine's clock.
  const expiresAt = new Date(Date.now() + limitMs).toISOString();
  const keeping = elsewhere?.questions
    .open({ ...kept, ...askedBy(question), expiresAt })
    .catch((cause: unknown) => {
      failed('a question can only be answered where it is asked')(cause);
      return undefined;
    });
  const watchOthers = async (): Promise<void> => {
    const row = await keeping;
    if (!row || open.aborted) return;
    askOthers(row.open).catch(failed('nobody elsewhere could be asked'));
    await row.answered(open);
    // `settle` returns whose answer it is.
    first.resolve(unanswered);
  };
  watchOthers().catch(failed('answers elsewhere are not noticed'));
  const askElsewhereOnly = async (waits: 'always' | 'seen'): Promise<void> => {
    const row = await keeping;
    if (!row) return first.reject(refusal);
    if (open.aborted) return;
    await row.markUnattended();
    const asked = { ...row.open, unattended: true };
    // The owner can allow a call by a command for as long as it waits.
    if (isConfirmation && waits === 'always') return askOthers(asked);
    do {
      await untilUnwatched(elsewhere!, open, clock);
      await askOthers(asked);
    } while (await elsewhere!.questions.isWatched());
    first.reject(refusal);
  };

  const whenAlone: Question['elsewhere'] = (waits = 'always') =>
    void askElsewhereOnly(waits).catch(failed('nobody elsewhere could be asked'));
  const askHere = async (): Promise<Answer> => {
    // A notification is shown once, where the person looks.
    if (elsewhere && question.kind === 'notification') await untilUnwatched(elsewhere, open, clock);
    return await ask({ ...question, elsewhere: whenAlone }, open);
  };
  const asking = askHere();
  asking.then((answer) => toCandidate(answer, here, kept.choices)).then(first.resolve, first.reject);

  let candidate: Candidate = unanswered;
  let thrown: { readonly cause: unknown } | undefined;
  try {
    candidate = await untilAborted(first.promise, deadline.signal);
  } catch (cause) {
    // Expiry is not a failure: it counts as no answer.
    if (signal.aborted || !deadline.signal.aborted) thrown = { cause };
  }
  const answer = await settle(await keeping, candidate, thrown !== undefined);
  const outcome = new AnsweredElsewhere(answer);
  withdrawn.abort(outcome);
  if (thrown) throw thrown.cause;
  if (answer !== candidate) await candidate.onLost?.(outcome);
  if (isAllowed(answer)) await untilWithdrawn(asking, kept.tool, clock);
  return answer;
}

async function untilUnwatched(
  { questions }: RemoteAnswers,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  while (await questions.isWatched()) {
    await clock.sleep(watchedIntervalMs, signal);
    signal.throwIfAborted();
  }
}

function askedBy(question: Question): Pick<NewQuestion, 'kind' | 'schema' | 'url' | 'multiple'> {
  const { schema, url, multiple } = question;
  const kind = kindOf(question);
  return {
    kind,
    ...(schema && kind !== 'confirm' && { schema }),
    ...(url !== undefined && { url }),
    ...(multiple !== undefined && { multiple }),
  };
}

const unanswered: Candidate = { decision: 'ended', by: 'nobody' };
const ignore = (): void => {};

async function untilWithdrawn(asking: Promise<unknown>, tool: string, clock: Clock): Promise<void> {
  try {
    await withinLimit(asking.then(ignore, ignore), withdrawTimeoutMs, clock);
  } catch {
    throw new PegboardError('PEG_DECLINED', `${tool} was not run: its question could not be withdrawn.`);
  }
}

async function settle(
  row: KeptQuestion | undefined,
  candidate: Candidate,
  hasFailed: boolean,
): Promise<Candidate> {
  if (!row) return candidate;
  try {
    const { decision, by, content } = candidate;
    const settled = await row.settle({ decision, by, ...(content && { content }) });
    return settled.decision === candidate.decision && settled.by === candidate.by ? candidate : settled;
  } catch (cause) {
    // The call is already refused for another reason.
    if (hasFailed) return unanswered;
    throw cause;
  }
}

/** An answer that was not offered counts as none. */
function toCandidate(answer: Answer | undefined, here: string, offered: readonly Choice[]): Candidate {
  const { by = here, onLost, meta } = answer ?? {};
  const rest = { by, ...(onLost && { onLost }), ...(meta && { meta }) };
  if (answer?.action === 'decline') {
    const { instead } = answer;
    return { decision: 'no', ...rest, ...(instead !== undefined && { content: { instead } }) };
  }
  if (answer?.action === 'cancel') return { decision: 'ended', ...rest };
  if (answer?.action !== 'accept') return { ...rest, ...unanswered };
  if (offered.length === 0)
    return { decision: 'answered', ...rest, ...(answer.content && { content: answer.content }) };
  // Where there is only one way to allow it, a Yes is that.
  const chosen = answer.content?.['answer'] ?? (offered.length === 1 ? offered[0] : 'once');
  if (!isChoice(chosen) || !offered.includes(chosen)) return { ...rest, ...unanswered };
  return { decision: chosen, ...rest };
}
