import de from './orders/de.json' with { type: 'json' };
import en from './orders/en.json' with { type: 'json' };
import esPt from './orders/es-pt.json' with { type: 'json' };
import fr from './orders/fr.json' with { type: 'json' };
import ja from './orders/ja.json' with { type: 'json' };
import ru from './orders/ru.json' with { type: 'json' };
import zh from './orders/zh.json' with { type: 'json' };

/** What an order to a model does, as the end of a sentence that begins with "it". */
export const kinds = {
  disregard: 'tells the model to disregard what it was told',
  conceal: 'asks to keep something from the user',
  address: 'speaks to the model in tags',
  precede: 'wants to be run before or instead of other tools',
  files: 'asks for files that hold secrets',
  conversation: 'asks for the conversation or the system prompt',
  secrets: "asks for the user's secrets",
  redirect: 'sends what the user sends to somewhere else',
  consent: 'wants the user not to be asked',
  dictate: 'tells the model what to say to the user',
  pose: 'tells the model what it is from now on',
} as const;

export type OrderKind = keyof typeof kinds;

/** The patterns of one language. */
export type Orders = Readonly<Partial<Record<OrderKind, readonly RegExp[]>>>;

/**
 * How orders to a model are worded in a language: a file of orders/. They ask for what an honest description has no use
 * for: it speaks of the tool, not of what the model was told, nor of what the user may know.
 */
interface Wording extends Readonly<Partial<Record<OrderKind, readonly Order[]>>> {
  /** Alternatives that several orders have, which "{name}" stands for. */
  readonly words?: Readonly<Record<string, string>>;
}

/**
 * A pattern, or words in sequence within one sentence, at most `row` characters from each other; with `clause` instead,
 * without a comma or colon between them. Each of `of` is a list of alternatives.
 */
type Order =
  | string
  | {
      readonly row?: number | undefined;
      readonly clause?: number | undefined;
      readonly of: readonly string[];
    };

/** In the Latin script without accents, as the words of a text are compared. */
export const inLatin: readonly Orders[] = [en, de, fr, esPt].map(ordersOf);

/** In other scripts, in lower case. */
export const inOtherScripts: readonly Orders[] = [ru, zh, ja].map(ordersOf);

function ordersOf({ words = {}, ...orders }: Wording): Orders {
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (all, name: string) => (name in words ? filled(words[name]!) : all));
  const patternOf = (order: Order): RegExp => {
    if (typeof order === 'string') return new RegExp(filled(order), 'u');
    const { row, clause, of } = order;
    const between = row === undefined ? `[^.!?;,:]{0,${clause}}?` : `[^.!?;]{0,${row}}?`;
    return new RegExp(of.map((words) => `\\b(?:${filled(words)})\\b`).join(between), 'u');
  };
  return Object.fromEntries(Object.entries(orders).map(([kind, all]) => [kind, all.map(patternOf)]));
}
