import { join } from 'node:path';
import type { AgentDirectory, FileMentions } from 'pegboard';

/** Places in a deferred task's text where file names may start. */
export function foldersOf(
  { home, agents }: { readonly home: string; readonly agents: AgentDirectory },
  agent: string | undefined,
): readonly string[] {
  try {
    const { folder } = agents.agentFor(agent);
    return [...new Set([home, folder, join(folder, 'workspace')])];
  } catch {
    // An unavailable agent does nothing later either, until it is available again.
    return [home];
  }
}

export const inProse = (text: string, folders: readonly string[]): FileMentions => ({
  texts: [text],
  folders,
  prose: true,
});

/** Every text among a call's arguments: any of them may be a command. */
export const inArguments = (args: unknown, folders: readonly string[]): FileMentions => ({
  texts: textsIn(args),
  folders,
});

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
