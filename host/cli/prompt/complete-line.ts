import type { Host } from '../../host.ts';
import { assignments, complete, toolNames, type Known } from '../complete.ts';
import { withCommands } from '../find-command.ts';
import { pluginCommandsOf } from '../plugin-commands.ts';
import type { Completion } from '../terminal/editor/completion.ts';

/** Commands and tools as the first word, then as in a shell; after a tool's bare name, its parameters. */
export async function completeLine(line: string, host: Host): Promise<Completion> {
  const words = line.replace(/^\s*\/?/, '').split(/\s+/);
  const word = words.at(-1)!;
  const { snapshot } = host.registry;
  const found = await complete(words, completionContext(host));
  const names = words.length === 1 ? toolNames(snapshot).filter((name) => name.startsWith(word)) : [];
  const tool = words.length > 1 && found.length === 0 ? snapshot.find(words[0]!) : undefined;
  const own = tool ? assignments(tool, word).filter((text) => text.startsWith(word)) : [];
  return { word, candidates: [...found, ...names, ...own].map(withSpace) };
}

/** What completion may look up in a running host. */
export function completionContext(host: Host): Known {
  return {
    commands: async () => withCommands(pluginCommandsOf(host)),
    snapshot: async () => host.registry.snapshot,
    servers: async () => host.servers.all.map(({ name }) => name),
  };
}

/** Complete candidates end with a space; "name=" needs a value. */
export const withSpace = (candidate: string): string =>
  candidate.endsWith('=') ? candidate : `${candidate} `;
