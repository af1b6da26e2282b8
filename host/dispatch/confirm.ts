import { createHmac, hash, randomBytes } from 'node:crypto';
import { pegboard } from '../core/own-command.ts';
import type { Ask, Question } from '../api/ask.ts';
import type { ConfirmPolicy } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { Choice, Decided } from '../api/questions.ts';
import type { Clock } from '../api/surroundings.ts';
import type { ToolCall } from '../api/tool.ts';
import type { CallDecision } from '../api/trace.ts';
import { isAllowed } from '../core/answered-elsewhere.ts';
import { choicesSchema, ruleNote } from '../core/choices.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { outermostCall } from '../core/outermost-call.ts';
import { PegboardError } from '../core/errors.ts';
import { canonicalJson, fingerprintOf } from '../tools/fingerprint.ts';
import { askerOf, placeOf } from './asker.ts';
import { askEverywhere, type RemoteAnswers } from './ask-everywhere.ts';
import type { Judgement } from './permissions/judge.ts';
import type { OfferedRules } from './permissions/offer-rules.ts';
import { keysFor, keysOf, offeredBy, type ConversationAllowances, type Reason } from './allowances.ts';
import { reasonsToAsk, type ReasonOptions } from './reasons.ts';

/** "Always" answers, kept by tool and fingerprint: a changed tool asks again. */
export interface Approvals {
  isApproved(toolId: string, fingerprint: string): boolean;
  approve(toolId: string, fingerprint: string): Promise<void>;
}

/** `refusal`: the error of a call that isn't allowed. */
type Outcome = CallDecision & { readonly refusal?: PegboardError };

export interface ConfirmOptions extends ReasonOptions {
  readonly ask: Ask | undefined;
  readonly approvals: Approvals;
  readonly allowances: ConversationAllowances;
  /** The arguments without secrets, shown for a tool without a preview. */
  readonly shown: unknown;
  /** Rules that a person may add instead of allowing the call alone. */
  readonly offered: OfferedRules | undefined;
  readonly elsewhere: RemoteAnswers | undefined;
  /** Removes secrets from what is stored. */
  readonly redact: (text: string) => string;
  /** What isn't asked again. Absent: everything is. */
  readonly declined: Set<string> | undefined;
  readonly log: Logger;
  readonly clock: Clock | undefined;
}

/**
 * Decides whether the call may run, and who said so. A refusal is PEG_DECLINED or PEG_NOBODY_TO_ASK. The answer applies
 * to exactly what was shown: the call is not changed between the question and its execution.
 */
export async function confirm(call: ToolCall, options: ConfirmOptions): Promise<Outcome> {
  const { policy, permission, ask, approvals, allowances, shown, elsewhere, redact, declined, log, clock } =
    options;
  const all = reasonsToAsk(call, options);
  if (all.length === 0) return allowed(whyUnasked(call, policy, permission));
  const reasons = all.filter((one) => !allowances.isCovered(call, keysOf(one)));
  if (reasons.length === 0) return allowed('conversation');
  const { tool } = call;
  const fingerprint = fingerprintOf(tool);
  if (isStored(call, reasons, options, approvals)) return allowed('approval');
  const key = declined && keyOf(call);
  if (key !== undefined && declined!.has(key)) return declinedBefore(tool.id);
  const reason = reasons.map(({ text }) => text).join(' ');
  const refusal = nobodyToAsk(call, reasons, reason);
  const unasked = { verdict: 'refused', by: 'nobody', refusal } as const;
  if (!ask) return unasked;
  const rules = await rulesFor(reasons, options);
  const choices: readonly Choice[] = [
    'once',
    ...offeredBy(reasons, call),
    ...(rules || isAboutTool(call, reasons, options) ? (['always'] as const) : []),
  ];
  const { scope, signal } = call;
  const question = toQuestion(call, { reason, shown, choices, rules });
  const binding = bindingOf(call, fingerprint, question);
  const asked = performance.now();
  const answer = await askEverywhere(
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
    { ask, here: placeOf(call), elsewhere, signal, refusal, log, clock },
  ).catch((cause: unknown) => {
    if (cause === refusal) return undefined;
    throw cause;
  });
  call.recordWait?.(performance.now() - asked);
  if (!answer) return unasked;
  if (!isAllowed(answer)) {
    if (key !== undefined) declined!.add(key);
    const isEnded = answer.decision === 'ended';
    const why = !isEnded
      ? `declined by ${answer.by}`
      : answer.by === 'nobody'
        ? 'the question was not answered'
        : `its question was closed without an answer, by ${answer.by}`;
    return {
      verdict: 'refused',
      by: isEnded ? 'nobody' : `person, ${answer.by}`,
      refusal: new PegboardError('PEG_DECLINED', `${tool.id} was not run: ${why}.${insteadOf(answer)}`),
    };
  }
  if (bindingOf(call, fingerprintOf(tool), question) !== binding)
    throw new PegboardError('PEG_DENIED', `${tool.id} was not run: it changed after it was shown.`);
  if (answer.decision === 'always' && rules) await options.offered!.add(rules);
  else if (answer.decision === 'always') await approvals.approve(tool.id, fingerprint);
  else allowances.allow(call, keysFor(answer.decision as Choice, reasons));
  return allowed(`person, ${answer.by}`);
}

/** What the person wants in place of the call, for the model. */
function insteadOf({ content }: Pick<Decided, 'content'>): string {
  const instead = content?.['instead'];
  return typeof instead === 'string' ? ` What to do instead, as they wrote: ${instead}` : '';
}

function whyUnasked({ confirm }: ToolCall, policy: ConfirmPolicy, permission: Judgement | undefined): string {
  if ((confirm ?? policy) === 'never') return 'configuration';
  return permission ? 'permission' : 'rule';
}

/** Rules that hold a secret are not offered: they would be written to a file. */
async function rulesFor(
  reasons: readonly Reason[],
  { offered, redact }: ConfirmOptions,
): Promise<readonly string[] | undefined> {
  if (!reasons.every(({ mayBeRule }) => mayBeRule === true)) return undefined;
  const rules = await offered?.rules();
  return rules?.every((rule) => redact(rule) === rule) ? rules : undefined;
}

/** Whether an earlier "always" covers all reasons. */
export const isStored = (
  call: ToolCall,
  reasons: readonly Reason[],
  given: ReasonOptions,
  approvals: Pick<Approvals, 'isApproved'>,
): boolean =>
  isAboutTool(call, reasons, given) && approvals.isApproved(call.tool.id, fingerprintOf(call.tool));

/**
 * A stored approval covers only the tool's own `confirm`, not questions of a hook, of a rule, of this call's arguments, or
 * because of untrusted content in the conversation.
 */
const isAboutTool = (
  call: ToolCall,
  reasons: readonly Reason[],
  { verdict, permission }: ReasonOptions,
): boolean =>
  verdict === undefined &&
  permission?.decision !== 'ask' &&
  call.prepared?.sensitive === undefined &&
  call.prepared?.confirm === undefined &&
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

/** Equal for the same tool with the same arguments, in whatever order they were written. */
const keyOf = ({ tool, args }: ToolCall): string =>
  hash('sha256', `${tool.id} ${canonicalJson(args)}`, 'base64url');

const declinedBefore = (id: string): Outcome => ({
  verdict: 'refused',
  by: 'person',
  refusal: new PegboardError('PEG_DECLINED', `${id} was not run: the same call was declined before.`),
});

const allowed = (by: string): Outcome => ({ verdict: 'allowed', by });

function nobodyToAsk(call: ToolCall, reasons: readonly Reason[], reason: string): PegboardError {
  const { tool } = call;
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
    `${tool.id} needs a confirmation, and there is nobody to ask here. ${reason} ${wayOut(call, reasons)}${grant}${listed}`,
  );
}

/** `Prepared.confinement` of a program without a sandbox. */
const unconfined = 'not sandboxed';

/** What can be done about it where the call comes from. */
function wayOut(call: ToolCall, reasons: readonly Reason[]): string {
  if (!outermostCall(call).caller.startsWith('mcp:'))
    return 'Run it where someone can answer, or with --yes.';
  const rule = reasons.every(({ mayBeRule }) => mayBeRule === true)
    ? ', or allow it by a rule (permissions in pegboard.yaml)'
    : '';
  return `This MCP client can't ask its user, who can keep the page open to answer there (\`${pegboard} dashboard\`), run it in a terminal (\`${pegboard} call ${call.tool.id}\`)${rule}.`;
}

function toQuestion(
  call: ToolCall,
  {
    reason,
    shown,
    choices,
    rules,
  }: {
    readonly reason: string;
    readonly shown: unknown;
    readonly choices: readonly Choice[];
    readonly rules: readonly string[] | undefined;
  },
): Question & { readonly detail: string; readonly notes: readonly string[] } {
  const message = reason.includes(call.tool.id) ? reason : `${call.tool.id}: ${reason}`;
  const { prepared } = call;
  const detail = prepared?.preview ?? toJson(shown, 2);
  const place = prepared?.cwd === undefined ? undefined : `in ${prepared.cwd}`;
  const where = [place, prepared?.confinement === unconfined ? unconfined : undefined];
  const brief = {
    head: `Run ${[call.tool.id, ...where].filter((part) => part !== undefined).join(', ')}?`,
    said: place === undefined ? toJson(shown) : detail,
  };
  const rule = rules && ruleNote(call.scope.agent!, rules);
  const notes = [place, prepared?.confinement, rule].filter((line) => line !== undefined);
  const schema = choicesSchema(choices);
  return { message, brief, detail, notes, takesInstead: true, ...(schema && { schema }) };
}
