import { textOf, toJson, type History, type ToolCall, type ToolResult, type TurnContext } from 'pegboard';

/** Addresses that appear in a conversation, written by its person or returned by a tool. */
export interface KnownAddresses {
  /** Records the addresses in a result. Addresses in the call's arguments may come from the model. */
  note(call: ToolCall, result: ToolResult): void;
  /** Whether it is one of them. Reading such an address can't leak data that the model put into it. */
  has(address: string, turn: TurnContext): Promise<boolean>;
}

/** Maximum conversations, and addresses of each. The oldest are forgotten and need confirmation again. */
const maxConversations = 500;
const maxAddresses = 5_000;
/** Maximum messages of the person that are searched. */
const maxMessages = 200;

export function createKnownAddresses(history: Pick<History, 'messages'>): KnownAddresses {
  const byConversation = new Map<number, Set<string>>();
  const has = async (address: string, turn: TurnContext): Promise<boolean> => {
    const { message, conversation } = turn;
    // A worker's task was written by a model, so the parent conversation counts.
    if (message.source === 'agent') {
      const outer = message.parent?.turn;
      return (
        byConversation.get(conversation.id)?.has(address) === true || (!!outer && (await has(address, outer)))
      );
    }
    if (byConversation.get(conversation.id)?.has(address) || isWrittenIn(message.text, address)) return true;
    const messages = await history.messages(conversation.id, { limit: maxMessages });
    return messages.some(({ role, text }) => role === 'user' && isWrittenIn(text, address));
  };
  return {
    note({ tool, turn, args }, result) {
      if (!turn) return;
      // The structure of a built-in tool may have more than the conversation, such as the rest of a page.
      const structured = tool.source.kind === 'builtin' ? undefined : toJson(result.structured);
      const found = addressesIn(`${textOf(result)} ${structured ?? ''}`);
      if (found.length === 0) return;
      const given = new Set(addressesIn(toJson(args) ?? ''));
      const { id } = turn.conversation;
      const known = byConversation.get(id) ?? new Set();
      for (const address of found) if (!given.has(address) && known.size < maxAddresses) known.add(address);
      byConversation.delete(id);
      byConversation.set(id, known);
      if (byConversation.size > maxConversations) byConversation.delete(byConversation.keys().next().value!);
    },
    has: async (address, turn) => {
      const normal = normalOf(address);
      return normal !== undefined && (await has(normal, turn));
    },
  };
}

/** A host name counts as the address of the host's home page. */
function isWrittenIn(text: string, address: string): boolean {
  if (addressesIn(text).includes(address)) return true;
  const { pathname, search, host } = new URL(address);
  return (
    pathname === '/' &&
    search === '' &&
    new RegExp(`(?<![\\w.-])${RegExp.escape(host)}(?![\\w.-]*\\w)`, 'i').test(text)
  );
}

const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/https?:\/\/[^\s<>"'`\\)\]}]+/gi)].flatMap(([found]) => {
    const whole = normalOf(found);
    const trimmed = normalOf(found.replace(/[.,;:!?*_]+$/, ''));
    return [whole, trimmed].filter((one) => one !== undefined);
  });

/** The address as it is sent: without the fragment. */
function normalOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  url.hash = '';
  return url.href;
}
