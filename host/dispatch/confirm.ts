import { createHmac, randomBytes } from 'node:crypto';
import { pegboard } from '../core/own-command.ts';
import type { Ask, Question } from '../api/ask.ts';
import type { ConfirmPolicy, ProvenanceRule } from '../api/dispatch.ts';
import type { Verdict } from '../api/hooks.ts';
import type { Logger } from '../api/log.ts';
import type { Choice } from '../api/questions.ts';
import type { ToolCall } from '../api/tool.ts';
import type { CallDecision } from '../api/trace.ts';
import { isAllowed } from '../core/answered-elsewhere.ts';
import { choicesSchema } from '../core/choices.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { PegboardError } from '../core/errors.ts';
import { fingerprintOf } from '../tools/fingerprint.ts';
import { isMeta } from '../tools/meta.ts';
import { askerOf, placeOf } from './asker.ts';
import { askEverywhere, type RemoteAnswers } from './ask-everywhere.ts';
import { keysFor, keysOf, offeredBy, type ConversationAllowances, type Reason } from './allowances.ts';
import { untrustedReason } from './provenance.ts';

/** "Always" answers, kept by tool and fingerprint: a changed tool asks again. */
export interface Approvals {
  isApproved(toolId: string, fingerprint: string): boolean;
  approve(toolId: string, fingerprint: string): Promise<void>;
}

/** `refusal`: the error of a call that isn't allowed. */
type Outcome = CallDecision & { readonly refusal?: PegboardError };

export interface ConfirmOptions {
  readonly policy: ConfirmPolicy;
  readonly rule: ProvenanceRule;
  readonly ask: Ask | undefined;
  readonly approvals: Approvals;
  readonly allowances: ConversationAllowances;
  /** The arguments without secrets, shown for a tool without a preview. */
  readonly shown: unknown;
  readonly elsewhere: RemoteAnswers | undefined;
  /** Removes secrets from what is stored. */
  readonly redact: (text: string) => string;
  readonly log: Logger;
}

/**
 * Decides whether the call may run, and who said so. A refusal is PEG_DECLINED or PEG_NOBODY_TO_ASK. The answer applies
 * to exactly what was shown: the call is not changed between the question and its execution.
 */
export async function confirm(
  call: ToolCall,
  verdict: Extract<Verdict, { confirm: string }> | undefined,
  { policy, rule, ask, approvals, allowances, shown, elsewhere, redact, log }: ConfirmOptions,
): Promise<Outcome> {
  const all = policy === 'never' ? [] : reasonsToAsk(call, verdict, policy, rule);
  if (all.length === 0) return allowed(policy === 'never' ? 'configuration' : 'rule');
  const reasons = all.filter((one) => !allowances.isCovered(call, keysOf(one)));
  if (reasons.length === 0) return allowed('conversation');
  const { tool } = call;
  const fingerprint = fingerprintOf(tool);
  const mayBeStored = isAboutTool(call, verdict, reasons);
  if (mayBeStored && approvals.isApproved(tool.id, fingerprint)) return allowed('approval');
  const reason = reasons.map(({ text }) => text).join(' ');
  const refusal = nobodyToAsk(call, reasons, reason);
  if (!ask) return { verdict: 'refused', by: 'nobody', refusal };
  const choices: readonly Choice[] = [
    'once',
    ...offeredBy(reasons, call),
    ...(mayBeStored ? (['always'] as const) : []),
  ];
  const { scope, signal } = call;
  const question = toQuestion(call, { reason, shown, choices });
  const binding = bindingOf(call, fingerprint, question);
  const asked = performance.now();
  const counts = await askEverywhere(
    question,
    {
      tool: tool.id,
      message: redact(question.message),
      detail: redact(question.detail),
      notes: question.notes.map(redact),
      choices,
      asker: askerOf(call),
      agent: scope.agent,
      binding,
    },
    { ask, here: placeOf(call), elsewhere, signal, refusal, log },
  );
  call.recordWait?.(performance.now() - asked);
  if (!isAllowed(counts)) {
    const isEnded = counts.decision === 'ended';
    const why = !isEnded
      ? `declined by ${counts.by}`
      : counts.by === 'nobody'
        ? 'the question was not answered'
        : `its question was closed without an answer, by ${counts.by}`;
    return {
      verdict: 'refused',
      by: isEnded ? 'nobody' : `person, ${counts.by}`,
      refusal: new PegboardError('PEG_DECLINED', `${tool.id} was not run: ${why}.`),
    };
  }
  if (bindingOf(call, fingerprintOf(tool), question) !== binding)
    throw new PegboardError('PEG_DENIED', `${tool.id} was not run: it changed after it was shown.`);
  if (counts.decision === 'always') await approvals.approve(tool.id, fingerprint);
  else allowances.allow(call, keysFor(counts.decision as Choice, reasons));
  return allowed(`person, ${counts.by}`);
}

/**
 * A stored approval covers only the tool's own `confirm`, not questions of a hook, of this call's arguments, or because
 * of untrusted content in the conversation.
 */
const isAboutTool = (call: ToolCall, verdict: object | undefined, reasons: readonly Reason[]): boolean =>
  verdict === undefined &&
  call.prepared?.sensitive === undefined &&
  reasons.every(({ kind }) => kind === 'own');

/** Random per process: the digested values may be secret, and can't be guessed from the digest. */
const bindingKey = randomBytes(32);

/** An answer is bound to the tool's definition, its arguments, its folder and the displayed text. */
function bindingOf(
  { tool, args, prepared }: ToolCall,
  fingerprint: string,
  { message, detail, notes }: Question,
): string {
  const bound = [tool.id, fingerprint, args, prepared?.cwd ?? null, message, detail, notes];
  return createHmac('sha256', bindingKey).update(toJson(bound)).digest('base64url');
}

const allowed = (by: string): Outcome => ({ verdict: 'allowed', by });

function reasonsToAsk(
  call: ToolCall,
  verdict: { readonly confirm: string } | undefined,
  policy: ConfirmPolicy,
  rule: ProvenanceRule,
): readonly Reason[] {
  const { tool, prepared } = call;
  const ofTool = toolReason(call, policy);
  const text = verdict?.confirm ?? prepared?.sensitive ?? ofTool;
  // Questions of a hook, or of the tool itself, are asked every time.
  const allowances = verdict || ofTool !== undefined ? undefined : prepared?.allowances;
  const own: Reason | undefined = text === undefined ? undefined : { kind: 'own', text, allowances };
  const untrusted = untrustedReason(call, rule);
  if (!untrusted) return own ? [own] : [];
  return own ? [own, untrusted] : [{ ...untrusted, text: `Run ${tool.id}? ${untrusted.text}` }];
}

/** Why the tool itself needs a confirmation. */
function toolReason(call: ToolCall, policy: ConfirmPolicy): string | undefined {
  const { tool } = call;
  const secrets = tool.secrets?.() ?? [];
  if (secrets.length > 0 && !isOwnersOwn(call))
    return `Run ${tool.id}, and let it have ${secrets.join(', ')}?`;
  // A meta-tool does nothing by itself: the tool that it runs is confirmed in its own call.
  return tool.confirm || (policy === 'always' && !isMeta(tool)) ? `Run ${tool.id}?` : undefined;
}

/** Running a tool by name in the terminal implies consent to the secrets that it needs. */
const isOwnersOwn = ({ scope, caller, turn, parent }: ToolCall): boolean =>
  scope.identity === 'host' && caller === 'cli' && !turn && !parent;

function nobodyToAsk({ tool }: ToolCall, reasons: readonly Reason[], reason: string): PegboardError {
  const secrets = tool.secrets?.() ?? [];
  const grant =
    secrets.length > 0
      ? ` \`${pegboard} approvals allow ${tool.id}\` lets it have ${secrets.join(', ')} from now on.`
      : '';
  const listed = reasons.every(({ kind }) => kind === 'untrusted')
    ? " `allow_untrusted` in the agent's file lists what may run anyway."
    : '';
  return new PegboardError(
    'PEG_NOBODY_TO_ASK',
    `${tool.id} needs a confirmation, and there is nobody to ask here. ${reason} Run it where someone can answer, or with --yes.${grant}${listed}`,
  );
}

function toQuestion(
  call: ToolCall,
  {
    reason,
    shown,
    choices,
  }: { readonly reason: string; readonly shown: unknown; readonly choices: readonly Choice[] },
): Question & { readonly detail: string; readonly notes: readonly string[] } {
  const message = reason.includes(call.tool.id) ? reason : `${call.tool.id}: ${reason}`;
  const { prepared } = call;
  const detail = prepared?.preview ?? toJson(shown, 2);
  const place = prepared?.cwd === undefined ? undefined : `in ${prepared.cwd}`;
  const notes = [place, prepared?.confinement].filter((line) => line !== undefined);
  const schema = choicesSchema(choices);
  return { message, detail, notes, ...(schema && { schema }) };
}
