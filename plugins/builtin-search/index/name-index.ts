import type { SearchedTool } from './fields.ts';
import { actionWords, ordinaryWords, requestWords, stopWords } from '../ranking/stop-words.ts';
import { rarityInGeneral } from '../ranking/ordinary-rarity.ts';
import { stem } from './stem.ts';

/**
 * Tools and servers by their exact names, in any notation: "create issue", createIssue, create_issue; with the server or
 * pack in front, or only the last part of a name with several parts (github__create_issue, notes.read).
 */
export interface NameIndex {
  add(document: number, tool: SearchedTool): void;
  remove(document: number, tool: SearchedTool): void;
  /** The tools with this name, of any server or pack. */
  called(name: string): Iterable<number>;
  /** The tools that a text names. */
  namedIn(text: string): Named;
}

/** By document. */
interface Named {
  /** Tools whose name, or whose server's name, is in the text. */
  readonly tools: readonly number[];
  /** Those whose own name is the whole text, or is written as an identifier: create_issue. Names within longer names don't count. */
  readonly written: readonly number[];
}

const maxWords = 8;
/** A one-word name that more than one in a hundred tools mention is ignored among other words. */
const minRarity = 4.6;

export function createNameIndex(): NameIndex {
  const documents = new Map<string, Set<number>>();
  const add = (name: string, document: number): void => {
    const known = documents.get(name);
    if (known) known.add(document);
    else documents.set(name, new Set([document]));
  };
  const remove = (name: string, document: number): void => {
    const known = documents.get(name);
    known?.delete(document);
    if (known?.size === 0) documents.delete(name);
  };
  return {
    add(document, tool) {
      for (const key of keysOf(tool)) add(key, document);
    },
    remove(document, tool) {
      for (const key of keysOf(tool)) remove(key, document);
    },
    called: (name) => documents.get(toolKey(bare(name))) ?? [],
    namedIn(text) {
      const tools = new Set<number>();
      const written = new Set<number>();
      const words = wordsIn(text);
      const telling = countTelling(words);
      let end = 0;
      for (let from = 0; from < words.length; from++) {
        for (let to = Math.min(words.length, from + maxWords); to > from; to--) {
          const some = words.slice(from, to);
          const name = some.map(({ word }) => word).join('');
          const called = documents.get(toolKey(name));
          const ofServer = documents.get(serverKey(name));
          if (!called && !ofServer) continue;
          const isAll = some.length === words.length || (telling > 0 && countTelling(some) === telling);
          const isOne = some.length > 1 ? some.slice(1).every(({ isJoined }) => isJoined) : some[0]!.isCode;
          const isSeveral = isAll || isOne || some.length > 1;
          if (isSeveral || !isGeneric(name)) for (const each of ofServer ?? []) tools.add(each);
          if (!isSeveral && (isGeneric(name) || rarityInGeneral(stem(name)) < minRarity)) continue;
          if (!called) continue;
          for (const each of called) tools.add(each);
          if (to <= end || !(isAll || isOne)) continue;
          for (const each of called) written.add(each);
          end = to;
        }
      }
      return { tools: [...tools], written: [...written] };
    },
  };
}

interface Word {
  /** In lowercase. */
  readonly word: string;
  /** No space is between it and the one before. */
  readonly isJoined: boolean;
  /** Written like an identifier: `read`, createIssue. */
  readonly isCode: boolean;
  /** It says nothing about what is wanted. */
  readonly isAsking: boolean;
}

const parts = /(?<space>\s*)(?<before>[^\p{L}\d\s]*)(?<word>[\p{L}\d]+)(?=(?<after>.?))/gsu;

function wordsIn(text: string): readonly Word[] {
  return [...text.matchAll(parts)].map(({ groups }) => {
    const { space, before, word: written, after } = groups as Record<string, string>;
    const word = written!.toLowerCase();
    return {
      word,
      isJoined: space === '',
      isCode: /\p{Ll}\p{Lu}/u.test(written!) || (before!.endsWith('`') && after === '`'),
      isAsking: stopWords.has(word) || requestWords.has(word) || ofCalling.has(word),
    };
  });
}

/** Words around a name: "call the read tool". */
const ofCalling = new Set('tool call run execute invoke'.split(' '));

const countTelling = (words: readonly Word[]): number =>
  words.reduce((count, { isAsking }) => count + Number(!isAsking), 0);

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\d]+/gu, '');
const toolKey = (name: string): string => `tool ${name}`;
const serverKey = (name: string): string => `server ${name}`;

/** Separates a server or pack from its tool. */
const separators = /__|[./:]/;

function keysOf({ name, source: { module } }: SearchedTool): ReadonlySet<string> {
  const last = name.split(separators).findLast((part) => part !== '') ?? name;
  return new Set([
    ...[name, last, `${module}${name}`].map((each) => toolKey(bare(each))),
    serverKey(bare(module)),
  ]);
}

const isGeneric = (word: string): boolean =>
  [actionWords, ordinaryWords, requestWords, stopWords].some((words) => words.has(word));
