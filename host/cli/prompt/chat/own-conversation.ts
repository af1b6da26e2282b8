import { conversationFolder } from '../../../core/files/project.ts';
import type { Host } from '../../../host.ts';
import { workplaceAt } from '../../../workplace.ts';

/** The terminal's conversations: of all that were begun in it, one is open. */
export const terminalKey = { source: 'cli', externalId: 'cli' } as const;

/**
 * The conversation that this prompt shows. One is open for all terminals of a home, so another prompt may have begun or
 * resumed a different one since.
 */
export interface OwnConversation {
  /** Opens it again, if another prompt has opened a different one. The first time, the folder's last one. */
  keep(): Promise<void>;
  /** From now on it is the one that is open. */
  note(): Promise<void>;
  /** A message may have begun it. */
  mayHaveBegun(): Promise<void>;
}

/** `isChosen`: the one that is open was chosen or begun for this prompt, wherever it belongs. */
export function createOwnConversation(
  host: Host,
  { isChosen }: { readonly isChosen: boolean },
): OwnConversation {
  let own: { readonly id: number | undefined } | undefined;
  let begun: Promise<void> | undefined;
  const current = async (): Promise<number | undefined> => {
    const { sessions } = await host.agents();
    return (await sessions.current(terminalKey))?.id;
  };
  const note = async (): Promise<void> => {
    own = { id: await current() };
  };
  const begin = async (): Promise<void> => {
    if (!isChosen) await openOfFolder(host);
    await note();
  };
  return {
    note,
    async mayHaveBegun() {
      if (own?.id === undefined) await note();
    },
    async keep() {
      if (!own) return await (begun ??= begin());
      const { id } = own;
      if (id === undefined || id === (await current())) return;
      const { sessions } = await host.agents();
      await sessions.reopen(id);
    },
  };
}

/** Opens the terminal's last conversation of the folder in which the person stands, or begins one. */
export async function openOfFolder(host: Host): Promise<void> {
  const { sessions, conversations } = await host.agents();
  const workplace = workplaceAt(host.home, host.surroundings);
  const current = await sessions.current(terminalKey);
  if (!workplace || !current) return;
  const folder = conversationFolder(workplace);
  const isEmpty = current.messages === 0 && current.parent === undefined;
  // One that is nowhere's becomes that of the next message's folder.
  if (current.folder === folder || (current.folder === undefined && !isEmpty)) return;
  const [last] = await sessions.list({ key: terminalKey, folder, limit: 1 });
  if (last) await sessions.reopen(last.id);
  else if (current.folder !== undefined) await conversations.startNew(terminalKey, folder);
}
