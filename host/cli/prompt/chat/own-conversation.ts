import type { Host } from '../../../host.ts';

/** The terminal's conversation: one for each home, until /new. */
export const terminalKey = { source: 'cli', externalId: 'cli' } as const;

/**
 * The conversation that this prompt shows. One is open for all terminals of a home, so another prompt may have begun or
 * resumed a different one since.
 */
export interface OwnConversation {
  /** Opens it again, if another prompt has opened a different one. */
  keep(): Promise<void>;
  /** From now on it is the one that is open. */
  note(): Promise<void>;
  /** A message may have begun it. */
  mayHaveBegun(): Promise<void>;
}

export function createOwnConversation(host: Host): OwnConversation {
  let own: { readonly id: number | undefined } | undefined;
  const current = async (): Promise<number | undefined> => {
    const { sessions } = await host.agents();
    return (await sessions.current(terminalKey))?.id;
  };
  const note = async (): Promise<void> => {
    own = { id: await current() };
  };
  return {
    note,
    async mayHaveBegun() {
      if (own?.id === undefined) await note();
    },
    async keep() {
      if (!own) return await note();
      const { id } = own;
      if (id === undefined || id === (await current())) return;
      const { sessions } = await host.agents();
      await sessions.reopen(id);
    },
  };
}
