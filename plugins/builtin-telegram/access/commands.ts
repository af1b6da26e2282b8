import { PegboardError, toJson, type PluginCommand } from 'pegboard';
import type { Pairing } from './pairing.ts';

export interface PairingCommandsOptions {
  readonly pairing: Pairing;
  /** Tells a user of it; absent without a token. */
  readonly greet: ((user: number) => Promise<void>) | undefined;
}

/** `pegboard telegram pair|list|unpair`: at the owner's terminal, where only the owner is. */
export function pairingCommands({ pairing, greet }: PairingCommandsOptions): {
  readonly [name: string]: PluginCommand;
} {
  return {
    async 'telegram pair'(call) {
      const [code] = call.words;
      if (code === undefined) throw usage('Which code? The bot gives one to whoever writes to it first.');
      const user = await pairing.confirm(code);
      if (!user) {
        throw usage(
          `Nobody waits with the code ${toJson(code)}. Codes hold for ten minutes; after five wrong ones all are void. Write to the bot again for a new one.`,
        );
      }
      if (call.options['json']) call.json(user);
      else call.out(`${user.name}, id ${user.id}, may talk to the bot now`);
      // Whoever was let in finds out by writing, too.
      await greet?.(user.id).catch(() => {});
    },
    async 'telegram list'(call) {
      const [paired, waiting] = [await pairing.paired(), await pairing.waiting()];
      if (call.options['json']) {
        return call.json({ paired, waiting: waiting.map(({ id, name }) => ({ id, name })) });
      }
      for (const { id, name, pairedAt } of paired) call.out(`${id}  ${name}  since ${pairedAt.slice(0, 10)}`);
      for (const { id, name } of waiting) call.out(`${id}  ${name}  waits, with a code`);
      if (paired.length + waiting.length === 0) call.out('Nobody was paired, and nobody waits.');
    },
    async 'telegram unpair'(call) {
      const [id = ''] = call.words;
      if (!/^\d+$/.test(id)) throw usage('Whose id? `pegboard telegram list` shows them.');
      const removed = await pairing.remove(Number(id));
      if (!removed)
        throw usage(`Nobody with the id ${id} was paired: \`pegboard telegram list\` shows who was.`);
      if (call.options['json']) call.json({ removed: Number(id) });
      else call.out(`${id} may not talk to the bot any more`);
    },
  };
}

const usage = (message: string): PegboardError => new PegboardError('PEG_USAGE', message);
