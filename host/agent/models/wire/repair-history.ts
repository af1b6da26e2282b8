import type { ModelMessage } from '../../../api/model.ts';

const interrupted =
  'This call was interrupted before it had a result. Whether it took effect is not known: check before you repeat it.';

/**
 * Providers refuse a call without its result, and a result without its call, which a killed process or a truncated
 * history can leave. Every call gets exactly one result, right after its message; other results are dropped.
 */
export function repairHistory(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  if (isWhole(messages)) return messages;
  const repaired: ModelMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue;
    repaired.push(message);
    if (message.role !== 'assistant') continue;
    const answers = answersAfter(messages, index);
    for (const { id, name } of message.toolCalls ?? []) {
      const answer = answers.find(({ callId }) => callId === id);
      repaired.push(
        answer ?? { role: 'tool', callId: id, name, content: [{ type: 'text', text: interrupted }] },
      );
    }
  }
  return repaired;
}

function isWhole(messages: readonly ModelMessage[]): boolean {
  let waiting = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.callId)) return false;
    } else {
      if (waiting.size > 0) return false;
      if (message.role === 'assistant') waiting = new Set(message.toolCalls?.map(({ id }) => id));
    }
  }
  return waiting.size === 0;
}

/** Up to the model's next message: an id may be used again later. */
function answersAfter(
  messages: readonly ModelMessage[],
  index: number,
): Extract<ModelMessage, { role: 'tool' }>[] {
  const next = messages.findIndex((message, at) => at > index && message.role === 'assistant');
  return messages
    .slice(index + 1, next < 0 ? messages.length : next)
    .filter((message) => message.role === 'tool');
}
