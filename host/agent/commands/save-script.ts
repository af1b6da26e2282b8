import { join } from 'node:path';
import type { RecordedCall } from '../../api/conversation.ts';
import { PegboardError } from '../../core/errors.ts';
import { writeNew } from '../../core/files/new-file.ts';
import { shorten } from '../../core/text/shorten.ts';
import { scriptFile } from '../../sources/manifests/files/script-file.ts';
import type { StoredMessage } from '../../store/conversations/messages.ts';
import type { RunCommand } from './command.ts';

/** Messages that are searched for a script. */
const searchedMessages = 40;
const maxDescriptionLength = 200;
const tool = 'meta.run_script';

/** A script that the agent ran, and what it was asked for. */
interface RanScript {
  readonly program: string;
  readonly asked: string;
}

/**
 * Saves the last script of the conversation that worked as a tool of the agent's space. Throws PEG_USAGE for a name that a
 * tool can't have, a file that exists, and where there is no script, and PEG_DENIED for anybody but the owner.
 */
export const saveScript: RunCommand = async (id, place, { home, agentFor, conversations }) => {
  if (!place.isOwner)
    throw new PegboardError(
      'PEG_DENIED',
      '/save-script is for the owner alone: in the terminal, or in a private chat away from the page.',
    );
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    throw new PegboardError(
      'PEG_USAGE',
      'Say the name of the new tool, in small letters: /save-script open-orders',
    );
  const { space } = agentFor(place.agent);
  const conversation = await conversations.getOrCreate(place.key);
  const last = lastScript(await conversations.recent(conversation.id, searchedMessages));
  if (!last)
    throw new PegboardError('PEG_USAGE', 'The agent has run no script in this conversation that worked.');
  const [first, ...rest] = id.replaceAll('-', ' ');
  const name = `${first!.toUpperCase()}${rest.join('')}`;
  const description = shorten(last.asked.trim().split('\n', 1)[0]! || name, maxDescriptionLength);
  const path = join(home, 'spaces', space, 'agent', 'tools', `${id}.script.ts`);
  await writeNew(path, scriptFile({ id, name, description }, last.program));
  return `${space}.${id} is a tool now: \`${path}\`. It is the script for "${description}".`;
};

function lastScript(messages: readonly StoredMessage[]): RanScript | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const program = messages[at]!.toolCalls.map(programOf).findLast((code) => code !== undefined);
    if (program === undefined) continue;
    const asked = messages.slice(0, at).findLast(({ role }) => role === 'user')?.text ?? '';
    return { program, asked };
  }
  return undefined;
}

function programOf({ tool: id, args, ok }: RecordedCall): string | undefined {
  const { code } = (args ?? {}) as { readonly code?: unknown };
  return id === tool && ok && typeof code === 'string' ? code : undefined;
}
