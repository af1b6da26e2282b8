import type { Answer, Ask, Question } from '../api/ask.ts';
import type { Logger } from '../api/log.ts';
import type {
  Choice,
  Decided,
  Decision,
  KeptQuestion,
  NewQuestion,
  OpenQuestion,
  Questions,
} from '../api/questions.ts';
import { AnsweredElsewhere, isAllowed } from '../core/answered-elsewhere.ts';
import { isChoice } from '../core/choices.ts';
import { openDeadline, untilAborted, withinLimit } from '../core/async/deadline.ts';
import { PegboardError } from '../core/errors.ts';

/** Those who can be asked what is asked in another place. */
export type AskOthers = (
  question: OpenQuestion,
  signal: AbortSignal,
) => readonly Promise<Answer | undefined>[];

export interface RemoteAnswers {
  readonly questions: Questions;
  readonly others: AskOthers;
}

export interface AskOptions {
  /** Whoever is there. */
  readonly ask: Ask;
  /** What they are called. */
  readonly here: string;
  /** Absent: nobody elsewhere can answer. */
  readonly elsewhere: RemoteAnswers | undefined;
  readonly signal: AbortSignal;
  /** What is thrown when nobody is left to ask. */
  readonly refusal: Error;
  readonly log: Logger;
}

/** An unanswered question stops being one after this long. */
const answerTimeoutMs = 5 * 60_000;
/** Whoever was asked takes back what it shows, and notes what it must, before the call goes on. */
const withdrawTimeoutMs = 10_000;

/** A decision, and who must know if it is not the one that counts. */
type Candidate = Decided & Pick<Answer, 'onLost'>;

/**
 * Asks whoever is there, and at the same time everybody elsewhere who can see the question. The first answer counts, in
 * all processes; the others learn of it. Resolves when whoever is there was told. Throws what `ask` throws.
 */
export async function askEverywhere(
  question: Question,
  kept: Omit<NewQuestion, 'expiresAt'>,
  { ask, here, elsewhere, signal, refusal, log }: AskOptions,
): Promise<Decided> {
  using deadline = openDeadline(answerTimeoutMs, signal);
  const withdrawn = new AbortController();
  const open = AbortSignal.any([deadline.signal, withdrawn.signal]);
  const first = Promise.withResolvers<Candidate>();
  const failed = (what: string) => (cause: unknown) => {
    if (!open.aborted) log.warn(what, { tool: kept.tool, cause });
  };

  const askOther = async (answering: Promise<Answer | undefined>): Promise<void> => {
    const answer = await answering;
    if (answer && answer.action !== 'cancel')
      first.resolve(toCandidate(answer, 'somebody elsewhere', kept.choices));
  };
  const askOthers = (asked: OpenQuestion): void => {
    for (const answering of elsewhere?.others(asked, open) ?? [])
      askOther(answering).catch(failed('a question could not be asked elsewhere'));
  };
  const expiresAt = new Date(Date.now() + answerTimeoutMs).toISOString();
  const keeping = elsewhere?.questions.open({ ...kept, expiresAt }).catch((cause: unknown) => {
    failed('a question can only be answered where it is asked')(cause);
    return undefined;
  });
  const watchOthers = async (): Promise<void> => {
    const row = await keeping;
    if (!row || open.aborted) return;
    askOthers(row.open);
    await row.answered(open);
    // Whose answer it is, `settle` says.
    first.resolve(unanswered);
  };
  watchOthers().catch(failed('answers elsewhere are not noticed'));
  const askElsewhereOnly = async (): Promise<void> => {
    const row = await keeping;
    if (!row) return first.reject(refusal);
    if (open.aborted) return;
    await row.markUnattended();
    askOthers({ ...row.open, unattended: true });
  };

  const whenAlone = (): void => void askElsewhereOnly().catch(failed('nobody elsewhere could be asked'));
  const asking = (async () => await ask({ ...question, elsewhere: whenAlone }, open))();
  asking.then((answer) => toCandidate(answer, here, kept.choices)).then(first.resolve, first.reject);

  let candidate: Candidate = unanswered;
  let thrown: { readonly cause: unknown } | undefined;
  try {
    candidate = await untilAborted(first.promise, deadline.signal);
  } catch (cause) {
    // That time is up is no failure: it is no answer.
    if (signal.aborted || !deadline.signal.aborted) thrown = { cause };
  }
  const counts = await settle(await keeping, candidate, thrown !== undefined);
  const outcome = new AnsweredElsewhere(counts);
  withdrawn.abort(outcome);
  if (thrown) throw thrown.cause;
  if (counts !== candidate) await candidate.onLost?.(outcome);
  if (isAllowed(counts)) await untilWithdrawn(asking, kept.tool);
  return counts;
}

const unanswered: Candidate = { decision: 'ended', by: 'nobody' };
const ignore = (): void => {};

async function untilWithdrawn(asking: Promise<unknown>, tool: string): Promise<void> {
  try {
    await withinLimit(asking.then(ignore, ignore), withdrawTimeoutMs);
  } catch {
    throw new PegboardError('PEG_DECLINED', `${tool} was not run: its question could not be withdrawn.`);
  }
}

async function settle(
  row: KeptQuestion | undefined,
  candidate: Decided,
  hasFailed: boolean,
): Promise<Decided> {
  if (!row) return candidate;
  try {
    const counts = await row.settle(candidate);
    return counts.decision === candidate.decision && counts.by === candidate.by ? candidate : counts;
  } catch (cause) {
    // The call is refused for another reason already.
    if (hasFailed) return unanswered;
    throw cause;
  }
}

/** What is no answer of those that were offered is none. */
function toCandidate(answer: Answer | undefined, here: string, offered: readonly Choice[]): Candidate {
  const { by = here, onLost } = answer ?? {};
  const rest = { by, ...(onLost && { onLost }) };
  if (answer?.action === 'decline') return { decision: 'no', ...rest };
  if (answer?.action !== 'accept') return { decision: 'ended', ...rest };
  const chosen = answer.content?.['answer'] ?? 'once';
  const decision: Decision = isChoice(chosen) && offered.includes(chosen) ? chosen : 'ended';
  return { decision, ...rest };
}
