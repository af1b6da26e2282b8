import { shorten } from '../../core/text/shorten.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import type { StoredMessage } from '../../store/conversations/messages.ts';
import { tokensIn } from '../../tools/injection/wire.ts';

/** Characters of a message, and of the arguments and the result of a call. */
const maxMessageLength = 8_000;
const maxCallLength = 600;

/** A conversation as text for a model that reads about it, in parts of about so many tokens, one at least. */
export function writeTranscript(messages: readonly StoredMessage[], tokens: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const message of messages) {
    const text = written(message);
    if (part !== '' && tokensIn(part) + tokensIn(text) > tokens) {
      parts.push(part);
      part = '';
    }
    part += `${part === '' ? '' : '\n\n'}${text}`;
  }
  return [...parts, part];
}

function written({ role, text, at, toolCalls, attachments, stopped }: StoredMessage): string {
  const calls = toolCalls.map(
    ({ tool, args, result }) =>
      `[called ${tool} ${shorten(toJson(args ?? {}), maxCallLength)} → ${shorten(result, maxCallLength)}]`,
  );
  const files = attachments.length === 0 ? [] : [`[with ${attachments.length} images or files]`];
  const end = stopped === undefined ? [] : [`[ended early: ${stopped}]`];
  const said = shorten(text, maxMessageLength);
  const who = role === 'user' ? 'Person' : 'Assistant';
  return [`${who}, ${at.slice(0, 16).replace('T', ' ')}:`, ...files, ...calls, said, ...end].join('\n');
}
