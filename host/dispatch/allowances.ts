import { LRUCache } from 'lru-cache';
import type { Choice } from '../api/questions.ts';
import type { Allowances, ToolCall } from '../api/tool.ts';
import { fingerprintOf } from '../tools/fingerprint.ts';

type InConversation = Pick<ToolCall, 'turn' | 'conversation'>;

/** What people have allowed for the rest of a conversation. Kept in memory until the host closes. */
export interface ConversationAllowances {
  isCovered(call: InConversation, keys: readonly string[]): boolean;
  allow(call: ToolCall, keys: readonly string[]): void;
}

/** The least recently used conversation is forgotten beyond this. */
const maxConversations = 1_000;

export function createConversationAllowances(): ConversationAllowances {
  const byConversation = new LRUCache<string, Set<string>>({ max: maxConversations });
  return {
    isCovered(call, keys) {
      const allowed = byConversation.get(conversationOf(call) ?? '');
      return allowed !== undefined && keys.some((key) => allowed.has(key));
    },
    allow(call, keys) {
      const conversation = conversationOf(call);
      if (conversation === undefined) return;
      const allowed = byConversation.get(conversation) ?? new Set();
      keys.forEach((key) => allowed.add(key));
      byConversation.set(conversation, allowed);
    },
  };
}

/** Undefined for a call outside any conversation, which can only be allowed once. */
function conversationOf({ turn, conversation }: InConversation): string | undefined {
  return turn ? `turn ${turn.conversation.id} ${turn.agent}` : conversation && `client ${conversation}`;
}

/** Why a call needs a confirmation. */
export interface Reason {
  readonly text: string;
  /** Answers to one kind don't cover another: what was allowed before untrusted content was read is asked again. */
  readonly kind: 'own' | 'untrusted';
  /** Undefined: every call is confirmed. */
  readonly allowances: Allowances | undefined;
  /** A rule of the owner would spare the question. */
  readonly mayBeRule?: boolean;
}

/** Allows the tool with this definition, whatever its arguments. */
export function allowancesOfTool({ tool }: ToolCall): Allowances {
  const key = `tool ${tool.id} ${fingerprintOf(tool)}`;
  return { offered: { conversation: key }, coveredBy: [key] };
}

/** The key of an answer that was given before untrusted content was read. */
export const keyBeforeUntrusted = (key: string): string => `own ${key}`;

export const keysOf = ({ kind, allowances }: Reason): readonly string[] =>
  (allowances?.coveredBy ?? []).map((key) => `${kind} ${key}`);

/** The choices beyond "once" that cover all reasons. */
export function offeredBy(reasons: readonly Reason[], call: ToolCall): readonly Choice[] {
  if (conversationOf(call) === undefined) return [];
  const extents = ['file', 'folder', 'conversation'] as const;
  return extents.filter((extent) =>
    reasons.every(({ allowances }) => allowances?.offered[extent] !== undefined),
  );
}

/** The keys that this choice allows. */
export const keysFor = (choice: Choice, reasons: readonly Reason[]): readonly string[] =>
  reasons.flatMap(({ kind, allowances }) => {
    const key = allowances?.offered[choice as 'file'];
    return key === undefined ? [] : [`${kind} ${key}`];
  });
