import type { ReceivedMessage } from 'pegboard';

/** "/tools 2" → "tools" and "2". Undefined when it isn't a command. */
export function commandOf({ command, answer = '' }: ReceivedMessage): ReceivedMessage['command'] {
  if (command) return command;
  const [, name, rest = ''] = /^\/([a-z0-9_]+(?:-[a-z0-9_]+)*)(?:\s+([^]*))?$/i.exec(answer.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), rest: rest.trim() };
}
