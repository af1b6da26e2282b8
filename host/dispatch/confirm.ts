import type { Ask, Question } from '../api/ask.ts';
import type { ConfirmPolicy } from '../api/dispatch.ts';
import type { Verdict } from '../api/hooks.ts';
import type { ToolCall } from '../api/tool.ts';
import type { Decision } from '../api/trace.ts';
import { openDeadline, untilAborted } from '../core/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import { fingerprintOf } from '../tools/fingerprint.ts';
import { isMeta } from '../tools/meta.ts';
import { untrustedReason } from './provenance.ts';

/** "Always" answers, kept by tool and fingerprint: a changed tool asks again. */
export interface Approvals {
  isApproved(toolId: string, fingerprint: string): boolean;
  approve(toolId: string, fingerprint: string): Promise<void>;
}

/** `refusal`: what to fail with where it isn't allowed. */
type Outcome = Decision & { readonly refusal?: PegboardError };

export interface ConfirmOptions {
  readonly policy: ConfirmPolicy;
  readonly ask: Ask | undefined;
  readonly approvals: Approvals;
  /** The arguments without secrets, for a tool that gives no preview. */
  readonly shown: unknown;
}

/** An unanswered question stops being one after this long. */
const answerWithinMs = 5 * 60_000;
const choices = ['once', 'always'] as const;

/**
 * Who allows the call, or refuses it: then with PEG_DECLINED or PEG_NOBODY_TO_ASK. The answer is for exactly what was shown:
 * the call is frozen before the question and goes straight on to execution.
 */
export async function confirm(
  call: ToolCall,
  verdict: Extract<Verdict, { confirm: string }> | undefined,
  { policy, ask, approvals, shown }: ConfirmOptions,
): Promise<Outcome> {
  const own = reasonToAsk(call, verdict, policy);
  const untrusted = policy === 'never' ? undefined : untrustedReason(call);
  const reason = untrusted === undefined ? own : `${own ?? `Run ${call.tool.id}?`} ${untrusted}`;
  if (reason === undefined) return allowed(policy === 'never' ? 'configuration' : 'rule');
  const { tool } = call;
  const fingerprint = fingerprintOf(tool);
  // A stored approval answers for the tool's own `confirm` alone, not for what a hook, this call's arguments or what was
  // read before it raised.
  const mayBeStored =
    verdict === undefined && call.prepared?.sensitive === undefined && untrusted === undefined;
  if (mayBeStored && approvals.isApproved(tool.id, fingerprint)) return allowed('approval');
  if (!ask) {
    const refusal = new PegboardError(
      'PEG_NOBODY_TO_ASK',
      `${tool.id} needs a confirmation, and there is nobody to ask here. ${reason} Run it where someone can answer, or with --yes.`,
    );
    return { verdict: 'refused', by: 'nobody', refusal };
  }
  const answer = await askWithin(ask, toQuestion(call, { reason, shown, mayBeStored }), call.signal);
  if (answer.action !== 'accept') {
    const isNo = answer.action === 'decline';
    const why = isNo ? 'declined' : 'the question was not answered';
    const refusal = new PegboardError('PEG_DECLINED', `${tool.id} was not run: ${why}.`);
    return { verdict: 'refused', by: isNo ? 'person' : 'nobody', refusal };
  }
  if (mayBeStored && answer.content?.['answer'] === 'always') await approvals.approve(tool.id, fingerprint);
  return allowed('person');
}

const allowed = (by: string): Outcome => ({ verdict: 'allowed', by });

function reasonToAsk(
  call: ToolCall,
  verdict: { readonly confirm: string } | undefined,
  policy: ConfirmPolicy,
): string | undefined {
  if (policy === 'never') return undefined;
  if (verdict) return verdict.confirm;
  if (call.prepared?.sensitive !== undefined) return call.prepared.sensitive;
  // A meta-tool does nothing by itself: what it runs is asked for in its own call.
  return call.tool.confirm || (policy === 'always' && !isMeta(call.tool))
    ? `Run ${call.tool.id}?`
    : undefined;
}

function toQuestion(
  call: ToolCall,
  {
    reason,
    shown,
    mayBeStored,
  }: { readonly reason: string; readonly shown: unknown; readonly mayBeStored: boolean },
): Question {
  const message = reason.includes(call.tool.id) ? reason : `${call.tool.id}: ${reason}`;
  const { prepared } = call;
  const preview = prepared?.preview ?? JSON.stringify(shown, null, 2);
  const place = prepared?.cwd === undefined ? undefined : `in ${prepared.cwd}`;
  const detail = [preview, place, prepared?.confinement].filter((line) => line !== undefined).join('\n');
  if (!mayBeStored) return { message, detail };
  return {
    message,
    detail,
    schema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', enum: [...choices], default: choices[0] } },
    },
  };
}

async function askWithin(ask: Ask, question: Question, signal: AbortSignal): ReturnType<Ask> {
  using deadline = openDeadline(answerWithinMs, signal);
  try {
    return await untilAborted(ask(question, deadline.signal), deadline.signal);
  } catch (cause) {
    if (signal.aborted || !deadline.signal.aborted) throw cause;
    return { action: 'cancel' };
  }
}
