import type { TurnContext } from '../api/conversation.ts';
import type { JsonObject, ToolResult } from '../api/result.ts';
import type { History } from '../api/store/history.ts';
import type { RegisteredTool, ToolCall } from '../api/tool.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { isMeta } from '../tools/meta.ts';
import { textOf } from '../tools/result.ts';
import type { CallRecord } from './call-record.ts';

/**
 * Addresses that a turn may open without a question: those that its person wrote, and those that came from outside as they
 * are. An address that a model, a script, a query or a command has made could carry what they know to its owner.
 */
export interface KnownAddresses {
  /** Records the addresses in a result whose tool `relays` what others wrote. */
  note(record: CallRecord, result: ToolResult): Promise<void>;
  /** The first address in the arguments of a call to the outside that is not known, as it is written there. */
  unknownIn(call: ToolCall): Promise<string | undefined>;
}

/** Maximum conversations, and addresses of each. The oldest are forgotten and need confirmation again. */
const maxConversations = 500;
const maxAddresses = 5_000;
/** Maximum messages of the person that are searched. */
const maxMessages = 200;

export function createKnownAddresses(history: Pick<History, 'messages'> | undefined): KnownAddresses {
  const byConversation = new Map<number, Set<string>>();
  const add = ({ conversation: { id }, message }: TurnContext, addresses: readonly string[]): void => {
    const known = byConversation.get(id) ?? new Set();
    for (const address of addresses) if (known.size < maxAddresses) known.add(address);
    byConversation.delete(id);
    byConversation.set(id, known);
    if (byConversation.size > maxConversations) byConversation.delete(byConversation.keys().next().value!);
    // What a worker has read came from outside for its caller too.
    if (message.parent?.turn) add(message.parent.turn, addresses);
  };
  /** What the person wrote, the latest last. */
  const textsOf = async (turn: TurnContext): Promise<readonly string[]> => {
    const { message, conversation } = turn;
    // A worker's task was written by a model, so its caller's conversation counts.
    if (message.source === 'agent') return message.parent?.turn ? await textsOf(message.parent.turn) : [];
    const messages = (await history?.messages(conversation.id, { limit: maxMessages })) ?? [];
    return [...messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])), message.text];
  };
  const isKnown = (address: string, turn: TurnContext): boolean =>
    byConversation.get(turn.conversation.id)?.has(address) === true ||
    (turn.message.parent?.turn !== undefined && isKnown(address, turn.message.parent.turn));
  return {
    async note({ tool, args, request: { turn: own, parent } }, result) {
      const turn = own ?? parent?.turn;
      if (!turn || tool?.relays !== true) return;
      const isEcho = echoes(tool, args);
      const isOwn = tool.source.kind === 'builtin';
      // The structure of a built-in tool may have more than the conversation, such as the rest of a page.
      const structured = isOwn ? undefined : toJson(result.structured);
      const found = addressesIn(`${textOf(result)} ${structured ?? ''}`).filter((one) => !isEcho(one));
      if (found.length === 0) return;
      if (!isOwn && !arePlain(args, tool, await textsOf(turn))) return;
      add(turn, found);
    },
    async unknownIn({ tool, args, turn }) {
      if (!turn || !reachesOutside(tool)) return undefined;
      const named = namedIn(tool, args);
      const unknown = named.filter(({ href }) => !isKnown(href, turn));
      if (unknown.length === 0) return undefined;
      const texts = await textsOf(turn);
      return unknown.find(({ href }) => !texts.some((text) => isWrittenIn(text, href)))?.written;
    },
  };
}

/** Of others' tools, what they say about themselves counts only against them. A meta-tool's inner calls are judged as such. */
function reachesOutside(tool: RegisteredTool): boolean {
  const { source, annotations } = tool;
  if (isMeta(tool)) return false;
  return source.kind === 'builtin' ? annotations?.openWorldHint === true : true;
}

/** Tells what the model sent itself. A page that is asked for by its address knows what is in that already. */
function echoes({ permission }: RegisteredTool, args: unknown): (address: string) => boolean {
  if (permission?.kind === 'url') {
    const own = normalOf(String((args as JsonObject)[permission.argument]));
    return (address) => address === own;
  }
  const sent = stringsIn(args).join('\n').toLowerCase();
  return (address) => [address, decoded(address)].some((one) => sent.includes(one.toLowerCase()));
}

interface NamedAddress {
  readonly written: string;
  readonly href: string;
}

/** Schemes that need no slashes: WHATWG's parser takes "https:example.com" for an address. */
const addressPattern =
  /(?:\b(?:https?|wss?|ftp):[\\/]*|\b[a-z][a-z\d+.-]*:\/\/|(?<![\w:/\\])[\\/]{2}|\bwww\.)[^\s<>"'`)\]}]+/gi;
/** A name with a path and no scheme: "example.com/search?q=". */
const barePattern = /(?<![\w./\\@:-])(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?[/?#][^\s<>"'`)\]}]*/gu;
/** Parameters whose whole value is an address, with or without a scheme. */
const addressNames =
  /(?:^|[^a-z])(?:ur[il]s?|links?|href|address(?:es)?|domains?|host(?:name)?s?|web_?sites?|sites?|endpoints?|webhooks?)$/i;

/** Every address in the arguments that a receiver might open. */
function namedIn(tool: RegisteredTool, args: unknown): readonly NamedAddress[] {
  const subject = tool.permission?.kind === 'url' ? tool.permission.argument : undefined;
  return leavesOf(args).flatMap(({ name, text }) => {
    const whole = name === subject || addressNames.test(snakeOf(name)) ? [text] : [];
    return [...whole, ...(text.match(addressPattern) ?? []), ...(text.match(barePattern) ?? [])].flatMap(
      (written) => {
        const href = hrefOf(written.replace(/[.,;:!?]$/, ''));
        return href === undefined ? [] : [{ written, href }];
      },
    );
  });
}

const hrefOf = (written: string): string | undefined =>
  /^(?:(?:https?|wss?|ftp):|[a-z][a-z\d+.-]*:\/\/)/i.test(written)
    ? normalOf(written)
    : normalOf(`https://${written.trim().replace(/^[\\/]+/, '')}`);

const snakeOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_');

interface Leaf {
  /** Of the nearest property. */
  readonly name: string;
  readonly text: string;
}

/** All texts in a value, names of properties included. */
function leavesOf(value: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: '', value }];
  for (let one = open.pop(); one; one = open.pop()) {
    const { name, value: inner } = one;
    if (typeof inner === 'string') leaves.push({ name, text: inner });
    else if (Array.isArray(inner)) for (const item of inner) open.push({ name, value: item });
    else if (typeof inner === 'object' && inner !== null)
      for (const [key, item] of Object.entries(inner)) {
        leaves.push({ name: '', text: key });
        open.push({ name: key, value: item });
      }
  }
  return leaves;
}

const stringsIn = (value: unknown): readonly string[] => leavesOf(value).map(({ text }) => text);

/** Maximum texts of a call of which each is the person's own: many could spell what the person never wrote. */
const maxWords = 8;
const maxPlainNumber = 10_000;

/**
 * Whether no argument can hold anything of the model's own, so that no receiver can have made an address from it: choices
 * and names of the schema, small numbers, and few texts that the person wrote.
 */
function arePlain(args: unknown, { parameters }: RegisteredTool, texts: readonly string[]): boolean {
  const offered = choicesOf(parameters);
  const own = stringsIn(args).filter((text) => text !== '' && !offered.has(text));
  if (own.length > maxWords || !own.every((text) => texts.some((written) => written.includes(text))))
    return false;
  return (toJson(args) ?? '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .split(/[^\d.eE+-]+/)
    .filter((number) => /\d/.test(number))
    .every((number) => /^-?\d+$/.test(number) && Math.abs(Number(number)) <= maxPlainNumber);
}

/** Names of properties and listed values, wherever they stand in the schema. */
function choicesOf(schema: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const open: unknown[] = [schema];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const { enum: values, const: value, properties } = one as JsonObject;
    for (const choice of [...(Array.isArray(values) ? values : []), value])
      if (typeof choice === 'string') found.add(choice);
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) found.add(name);
    open.push(...Object.values(one));
  }
  return found;
}

/** An address may be written without its scheme, and a host name counts as the address of the host's home page. */
function isWrittenIn(text: string, address: string): boolean {
  if (addressesIn(text).includes(address)) return true;
  const bare = text.match(barePattern) ?? [];
  if (
    bare.some((one) =>
      ['https', 'http'].some((scheme) => addressesIn(`${scheme}://${one}`).includes(address)),
    )
  )
    return true;
  const { pathname, search, host, username, password } = new URL(address);
  return (
    pathname === '/' &&
    search === '' &&
    username + password === '' &&
    host !== '' &&
    new RegExp(`(?<![\\w.-])${RegExp.escape(host)}(?![\\w.-]*\\w)`, 'i').test(text)
  );
}

/** Whole addresses of a text: nothing that could be part of a longer one. */
const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w+.-])https?:\/\/[^\s<>"'`\\)\]}]+/gi)].flatMap(([found]) => {
    const whole = normalOf(found);
    const trimmed = normalOf(found.replace(/[.,;:!?*_]+$/, ''));
    return [whole, trimmed].filter((one) => one !== undefined);
  });

/** The address as it is sent: without the fragment. */
function normalOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  url.hash = '';
  return url.href;
}

/** Without the codes of URLs, where they are valid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
