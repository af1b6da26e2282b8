import { LRUCache } from 'lru-cache';
import type { TurnContext } from '../../api/conversation.ts';
import type { JsonObject, ToolResult } from '../../api/result.ts';
import type { History } from '../../api/store/history.ts';
import type { RegisteredTool, ToolCall } from '../../api/tool.ts';
import { reactionStart } from '../../core/text/reaction-start.ts';
import { isMeta } from '../../tools/meta.ts';
import type { IsKnownAddress } from '../../core/foreign/open-links.ts';
import { textOf } from '../../tools/result.ts';
import {
  addressesIn,
  addressesNamedIn,
  addressesWrittenIn,
  hrefOf,
  isNormal,
  normalOf,
} from './addresses-in.ts';
import type { CallRecord } from '../call-record.ts';

/**
 * Addresses that a turn may open without a question: those that its person wrote, and those that came from outside as they
 * are. An address that a model, a script, a query or a command has made could carry what they know to its owner.
 */
export interface KnownAddresses {
  /** Records the addresses in a result whose tool `relays` what others wrote. Never rejects. */
  note(record: CallRecord, result: ToolResult): Promise<void>;
  /** The addresses in the arguments of a call to the outside that are not known, as they are written there. */
  unknownIn(call: ToolCall): Promise<readonly string[]>;
  /** Tells which addresses may stand behind other words in the turn's answer: known ones, and all before others are read. */
  linkedBy(turn: TurnContext): Promise<IsKnownAddress>;
}

/** Maximum conversations, and addresses of each. Those that were not used for longest need confirmation again. */
const maxConversations = 500;
const maxAddresses = 5_000;
/** Maximum messages of the person that are searched. */
const maxMessages = 200;

export function createKnownAddresses(history: Pick<History, 'messages'> | undefined): KnownAddresses {
  const byConversation = new LRUCache<number, LRUCache<string, true>>({ max: maxConversations });
  const add = ({ conversation: { id }, message }: TurnContext, addresses: Iterable<string>): void => {
    const known = byConversation.get(id) ?? newAddresses();
    for (const address of addresses) known.set(address, true);
    byConversation.set(id, known);
    // What a worker has read came from outside for its caller too.
    if (message.parent?.turn) add(message.parent.turn, addresses);
  };
  /** What the person wrote, the latest last. `own`: nothing that others wrote. */
  const textsOf = async (turn: TurnContext, own = false): Promise<readonly string[]> => {
    const { message, conversation } = turn;
    // A worker's task was written by a model, so its caller's conversation counts.
    if (message.source === 'agent')
      return message.parent?.turn ? await textsOf(message.parent.turn, own) : [];
    const stored = (await history?.messages(conversation.id, { limit: maxMessages })) ?? [];
    const written = [...stored.filter(({ role }) => role === 'user'), message];
    return written
      .filter(({ text, untrusted = [] }) => !text.startsWith(reactionStart) && !(own && untrusted.length > 0))
      .map(({ text }) => text);
  };
  const isHeard = (address: string, turn: TurnContext): boolean =>
    byConversation.get(turn.conversation.id)?.get(address) === true ||
    (turn.message.parent?.turn !== undefined && isHeard(address, turn.message.parent.turn));
  return {
    async note({ tool, args, request: { turn: own, parent } }, result) {
      const turn = own ?? parent?.turn;
      // What Pegboard itself says of a call that fails repeats what the model sent.
      if (!turn || !tool?.relays || result.error) return;
      try {
        if (tool.source.kind !== 'builtin' && !arePlain(args, tool, await textsOf(turn, true))) return;
        const isEcho = echoes(tool, args);
        add(turn, new Set([...addressesIn(relayedBy(tool, args, result))].filter((one) => !isEcho(one))));
      } catch {
        // A plugin's `relays` or the database failed: what isn't known is asked about.
      }
    },
    async unknownIn({ tool, args, turn }) {
      if (!turn || !reachesOutside(tool)) return [];
      const leaves = leavesOf(args).filter(({ isName }) => !isName || tool.source.kind !== 'builtin');
      const named = leaves.map((leaf) => ({ leaf, addresses: namedIn(tool, leaf) }));
      const all = named.flatMap(({ addresses }) => addresses);
      if (all.length === 0) return [];
      const texts = await textsOf(turn);
      const said = addressesOf(texts);
      const isUrl = fetchedBy(tool) !== undefined;
      const isKnown = (written: string, href: string | undefined): boolean => {
        // Only what fetches it here is sure to send the normal form.
        if (href !== undefined && (isUrl || isNormal(written)) && isHeard(href, turn)) return true;
        if (!isUrl && isHeard(written, turn)) return true;
        return href !== undefined && said.has(href) && (isUrl || isSaid(written, texts));
      };
      const unknown = all.filter(({ written, href }) => !isKnown(written, href));
      if (unknown.length > 0) return unknown.map(({ written }) => written);
      if (isUrl) return [];
      // What goes to a known address beside it goes to its owner, too.
      const others = named.filter(({ addresses }) => addresses.length === 0).map(({ leaf }) => leaf);
      const rest = { texts: others, numbers: numbersIn(args) };
      return isPlain(rest, tool, await textsOf(turn, true)) ? [] : all.map(({ written }) => written);
    },
    async linkedBy(turn) {
      const texts = await textsOf(turn);
      let said: ReadonlySet<string> | undefined;
      return (address) => {
        if (turn.untrusted.origins.length === 0) return true;
        said ??= addressesOf(texts);
        // A script of the page reads what comes behind "#", and another spelling may say more than is sent: "/SECRET/../".
        const sent = !address.includes('#') && isNormal(address) ? normalOf(address) : address;
        return [address, sent].some((one) => one !== undefined && (said!.has(one) || isHeard(one, turn)));
      };
    },
  };
}

/** A maximum of sizes, because one of entries takes memory for all of them at once. */
const newAddresses = (): LRUCache<string, true> =>
  new LRUCache({ maxSize: maxAddresses, sizeCalculation: () => 1 });

const addressesOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...addressesWrittenIn(text)]));

/** Whether the person wrote it in this form, or in that of a home page's host. */
const isSaid = (written: string, texts: readonly string[]): boolean =>
  isNormal(written) || texts.some((text) => text.includes(written));

/** What others wrote in a result. */
function relayedBy({ relays, source }: RegisteredTool, args: unknown, result: ToolResult): string {
  if (typeof relays === 'function') return relays(result.structured, args).join('\n');
  // The structure of a built-in tool may have more than the conversation, such as the rest of a page.
  return source.kind === 'builtin'
    ? textOf(result)
    : `${textOf(result)}\n${stringsIn(result.structured).join('\n')}`;
}

/** Of others' tools, what they say about themselves counts only against them. A meta-tool's inner calls are judged as such. */
const reachesOutside = (tool: RegisteredTool): boolean =>
  !isMeta(tool) && (tool.source.kind !== 'builtin' || fetchedBy(tool) !== undefined);

/** The argument with the address that a tool of Pegboard fetches itself, in the normal form. Undefined for other tools. */
const fetchedBy = ({ source, permission }: RegisteredTool): string | undefined =>
  source.kind === 'builtin' && permission?.kind === 'url' ? permission.argument : undefined;

/** Tells what the model sent itself. A page that is asked for by its address knows what is in that already. */
function echoes(tool: RegisteredTool, args: unknown): (address: string) => boolean {
  const fetched = fetchedBy(tool);
  if (fetched !== undefined) {
    const own = String((args as JsonObject)[fetched]);
    return (address) => address === own || address === normalOf(own);
  }
  const sent = stringsIn(args);
  const named = new Set(sent.flatMap((text) => [...addressesIn(text)]));
  return (address) => named.has(address) || sent.some((text) => text.includes(address));
}

/** Parameters whose whole value is an address, with or without a scheme. */
const addressNames =
  /(?:^|[^a-z])(?:ur[il]s?|links?|href|address(?:es)?|domains?|host(?:name)?s?|web_?sites?|sites?|endpoints?|webhooks?)$/i;

function namedIn(tool: RegisteredTool, { name, text, isName }: Leaf): ReturnType<typeof addressesNamedIn> {
  const fetched = fetchedBy(tool);
  if (fetched !== undefined)
    return name === fetched && !isName ? [{ written: text, href: normalOf(text) }] : [];
  const isWhole = !isName && addressNames.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_'));
  if (isWhole && text.trim() !== '' && !/\s/.test(text.trim()))
    return [{ written: text, href: hrefOf(text) }];
  return addressesNamedIn(text);
}

interface Leaf {
  /** Of the nearest property. */
  readonly name: string;
  readonly text: string;
  /** It is the name of a property itself. */
  readonly isName: boolean;
}

/** All texts in a value, names of properties included. */
function leavesOf(value: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  walk(value, (inner, name, isName) => {
    if (typeof inner === 'string') leaves.push({ name, text: inner, isName });
  });
  return leaves;
}

export const stringsIn = (value: unknown): readonly string[] => leavesOf(value).map(({ text }) => text);

/** Numbers, true and false, as they are written. */
function numbersIn(value: unknown): readonly string[] {
  const found: string[] = [];
  walk(value, (inner) => {
    if (typeof inner === 'number' || typeof inner === 'boolean' || typeof inner === 'bigint')
      found.push(String(inner));
  });
  return found;
}

function walk(value: unknown, visit: (value: unknown, name: string, isName: boolean) => void): void {
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: '', value }];
  for (let one = open.pop(); one; one = open.pop()) {
    const { name, value: inner } = one;
    visit(inner, name, false);
    if (Array.isArray(inner)) for (const item of inner) open.push({ name, value: item });
    else if (typeof inner === 'object' && inner !== null)
      for (const [key, item] of Object.entries(inner)) {
        visit(key, '', true);
        open.push({ name: key, value: item });
      }
  }
}

/** Maximum values of a call that are the model's choice: many could spell what nobody wrote. */
const maxChoices = 8;
const maxPlainNumber = 10_000;

/**
 * Whether no argument can hold much of the model's own, so that no receiver can have made an address from it: a few choices
 * of the schema, small numbers, and words that the person wrote.
 */
const arePlain = (args: unknown, tool: RegisteredTool, texts: readonly string[]): boolean =>
  isPlain({ texts: leavesOf(args), numbers: numbersIn(args) }, tool, texts);

function isPlain(
  { texts: leaves, numbers }: { readonly texts: readonly Leaf[]; readonly numbers: readonly string[] },
  { parameters }: RegisteredTool,
  texts: readonly string[],
): boolean {
  const { names, choices } = choicesOf(parameters);
  const own = leaves.filter(({ text, isName }) => text !== '' && !(isName && names.has(text)));
  return (
    own.length + numbers.length <= maxChoices &&
    own.every(({ text }) => choices.has(text) || texts.some((written) => isWordOf(written, text))) &&
    numbers.every((one) => /^(?:true|false|-?\d+)$/.test(one) && !(Math.abs(Number(one)) > maxPlainNumber))
  );
}

/** Whether the text holds the words as whole ones. */
function isWordOf(text: string, words: string): boolean {
  const isLetter = (character: string | undefined): boolean => /[\p{L}\p{N}]/u.test(character ?? ' ');
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + words.length])) return true;
  return false;
}

/** Names of properties and listed values, wherever they stand in the schema. */
function choicesOf(schema: JsonObject): {
  readonly names: ReadonlySet<string>;
  readonly choices: ReadonlySet<string>;
} {
  const [names, choices] = [new Set<string>(), new Set<string>()];
  const open: unknown[] = [schema];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const { enum: values, const: value, properties } = one as JsonObject;
    for (const choice of [...(Array.isArray(values) ? values : []), value])
      if (typeof choice === 'string') choices.add(choice);
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) names.add(name);
    open.push(...Object.values(one));
  }
  return { names, choices };
}
