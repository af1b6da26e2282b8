import { showDay } from '../day.ts';
import { showMemory } from './show.ts';
import type { Why } from './why.ts';

/** Maximum characters shown of a message. */
const maxMessageLength = 500;

/** For the terminal. */
export function showWhy(
  { memory, before, observations, messages }: Why,
  timezone: string,
): readonly string[] {
  const origin =
    memory.origin === 'observed' ? 'observed in a conversation' : 'stored because somebody asked for it';
  return [
    showMemory(memory, timezone),
    `${origin}, ${showDay(memory.createdAt, timezone)}`,
    ...section(
      'Supersedes:',
      before.map((each) => showMemory(each, timezone)),
    ),
    ...section(
      'Noted as:',
      observations.map(({ text, priority }) => `${text} (${priority})`),
    ),
    ...section(
      'From the messages:',
      messages.map(({ id, role, text, at }) => `${id}, ${showDay(at, timezone)}, ${role}: ${clip(text)}`),
    ),
    ...(messages.length === 0 ? ['', 'The messages that it came from are unknown.'] : []),
  ];
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length > 0 ? ['', title, ...lines.map((line) => `  ${line}`)] : [];

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
}
