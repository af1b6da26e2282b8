import { pegboard, PegboardError, type Person, type PluginCommand, toJson } from 'pegboard';
import { shownLine } from 'pegboard/kit';
import type { Pairing } from './pairing.ts';

export interface PairingCommandsOptions {
  /** "telegram" */
  readonly channel: string;
  readonly pairing: Pairing;
  /** Ids are whole numbers, and JSON output contains them as numbers, unless JavaScript would round them. */
  readonly numeric: boolean;
  /** Sends a welcome message to a paired person; absent when the channel is not connected. */
  readonly greet: ((person: string) => Promise<void>) | undefined;
}

/** The code of a line as the bot sends it, or the code alone, with or without the backticks of a chat. */
const codeIn = (text: string): string =>
  (/(?<!\S)pair\s+(\S+)[\s\S]*$/.exec(text)?.[1] ?? text).replaceAll('`', '').trim();

/** `pegboard CHANNEL pair|list|allow|unpair`. Only the owner can run these, because they need the owner's terminal. */
export function pairingCommands({ channel, pairing, numeric, greet }: PairingCommandsOptions): {
  readonly [name: string]: PluginCommand;
} {
  const idOf = (id: string): string | number =>
    numeric && Number.isSafeInteger(Number(id)) ? Number(id) : id;
  return {
    async [`${channel} pair`](call) {
      const code = codeIn(call.words.join(' '));
      if (code === '') throw usage('Which code? The bot sends one to each new person who writes to it.');
      const person = await pairing.confirm(code);
      if (!person) {
        throw usage(
          `Nobody waits with the code ${toJson(code)}. Codes expire after ten minutes, or after five wrong attempts. Write to the bot again for a new one.`,
        );
      }
      const { id, name } = person;
      if (call.options['json']) call.json({ id: idOf(id), name });
      else call.out(`${shownLine(name)}, id ${shownLine(id)}, may talk to the bot now`);
      // Failure is harmless: the person also finds out by writing again.
      await greet?.(id).catch(() => {});
    },
    async [`${channel} list`](call) {
      const [paired, waiting] = [await pairing.paired(), await pairing.waiting()];
      if (call.options['json']) {
        return call.json({
          paired: paired.map((person) => ({ ...person, id: idOf(person.id) })),
          waiting: waiting.map(({ id, name }) => ({ id: idOf(id), name })),
        });
      }
      const shown = ({ id, name }: Person): string => `${shownLine(id)}  ${shownLine(name)}`;
      for (const person of paired) call.out(`${shown(person)}  since ${person.pairedAt.slice(0, 10)}`);
      for (const person of waiting) call.out(`${shown(person)}  waiting, with a code`);
      if (paired.length + waiting.length === 0) call.out('Nobody is paired or waiting.');
    },
    async [`${channel} allow`](call) {
      const [id = '', ...words] = call.words;
      if (id === '' || (numeric && !/^\d+$/.test(id)))
        throw usage(`Whose id? \`${pegboard} ${channel} allow ID\` takes the id of a person, never a name.`);
      const added = await pairing.add({ id, name: words.join(' ') || id });
      if (call.options['json']) return call.json({ id: idOf(id), added });
      call.out(added ? `${shownLine(id)} may talk to the bot now` : `${shownLine(id)} was paired already`);
    },
    async [`${channel} unpair`](call) {
      const [id = ''] = call.words;
      if (id === '' || (numeric && !/^\d+$/.test(id)))
        throw usage(`Whose id? \`${pegboard} ${channel} list\` shows them.`);
      const removed = await pairing.remove(id);
      if (!removed)
        throw usage(`Nobody with the id ${id} is paired: \`${pegboard} ${channel} list\` shows who is.`);
      if (call.options['json']) call.json({ removed: idOf(id) });
      else call.out(`${id} may not talk to the bot any more`);
    },
  };
}

const usage = (message: string): PegboardError => new PegboardError('PEG_USAGE', message);
