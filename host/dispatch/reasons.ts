import type { ConfirmPolicy, ProvenanceRule } from '../api/dispatch.ts';
import type { ToolCall } from '../api/tool.ts';
import { asSentence } from '../core/text/as-sentence.ts';
import { isMeta } from '../tools/meta.ts';
import type { Reason } from './allowances.ts';
import type { Judgement } from './permissions/judge.ts';
import { untrustedReason } from './provenance/rule.ts';

export interface ReasonOptions {
  /** The home's; the call's own policy comes first. */
  readonly policy: ConfirmPolicy;
  readonly rule: ProvenanceRule;
  /** Addresses in the arguments that nobody but the model may have written. */
  readonly unknownAddresses: readonly string[];
  /** What a hook asks. */
  readonly verdict: { readonly confirm: string } | undefined;
  /** What the owner's rules say of the call. */
  readonly permission: Judgement | undefined;
}

/**
 * Why a call needs confirmation. A rule that allows it spares the questions that the tool and the configuration ask in
 * general, and nothing else: not those of hooks, of dangerous arguments, of secrets, or because of untrusted content.
 */
export function reasonsToAsk(
  call: ToolCall,
  { policy, rule, unknownAddresses, verdict, permission }: ReasonOptions,
): readonly Reason[] {
  const asking = permission?.decision === 'ask' ? permission : undefined;
  if (call.confirm === 'never') return [];
  if ((call.confirm ?? policy) === 'never') return asking ? [byRule(call, asking)] : [];
  const own = ownReason(call, { policy, verdict, permission });
  const untrusted = untrustedReason(call, rule, unknownAddresses);
  if (!untrusted) return own ? [own] : [];
  return own ? [own, untrusted] : [{ ...untrusted, text: `Run ${call.tool.id}? ${untrusted.text}` }];
}

function ownReason(
  call: ToolCall,
  { policy, verdict, permission }: Omit<ReasonOptions, 'rule' | 'unknownAddresses'>,
): Reason | undefined {
  const { tool, prepared } = call;
  const secrets = secretsReason(call);
  const asking = permission?.decision === 'ask' ? permission : undefined;
  const fixed = verdict?.confirm ?? prepared?.sensitive ?? secrets;
  const isAskedAlways = call.confirm === 'always' && !isMeta(tool);
  // Questions of a hook, of a rule, or of the tool itself, are asked every time.
  const isGeneral = tool.confirm === true || isAskedAlways || (policy === 'always' && !isMeta(tool));
  const allowances =
    verdict || asking || secrets !== undefined || isGeneral ? undefined : prepared?.allowances;
  if (fixed !== undefined) return { kind: 'own', text: asSentence(fixed), allowances };
  if (asking) return byRule(call, asking);
  const question = `Run ${tool.id}?`;
  if (permission && !isAskedAlways) return undefined;
  const text = prepared?.confirm ?? (isGeneral ? question : undefined);
  return text === undefined
    ? undefined
    : { kind: 'own', text: asSentence(text), allowances, mayBeRule: !isAskedAlways };
}

const byRule = ({ tool }: ToolCall, { rules: [rule] }: Judgement): Reason => ({
  kind: 'own',
  text: `Run ${tool.id}? The rule "${rule!.text}" asks about it.`,
  allowances: undefined,
});

/** Running a tool by name in the terminal implies consent to the secrets that it needs. */
function secretsReason(call: ToolCall): string | undefined {
  const secrets = call.tool.secrets?.() ?? [];
  if (secrets.length === 0 || isOwnersOwn(call)) return undefined;
  return `Run ${call.tool.id}, and let it have ${secrets.join(', ')}?`;
}

const isOwnersOwn = ({ scope, caller, turn, parent }: ToolCall): boolean =>
  scope.identity === 'host' && caller === 'cli' && !turn && !parent;
