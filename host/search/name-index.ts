import type { SearchedTool } from './fields.ts';
import { actionWords, ordinaryWords, requestWords, stopWords } from './stop-words.ts';
import { rarityInGeneral } from './ordinary-rarity.ts';
import { stem } from './stem.ts';

/** Tools and servers by their exact names, however a request writes them: "create issue", createIssue, create_issue. */
export interface NameIndex {
  add(document: number, tool: SearchedTool): void;
  remove(document: number, tool: SearchedTool): void;
  /** The documents that a text names. */
  namedIn(text: string): number[];
}

const mostWords = 6;
/** A name of one word that more tools than one in a hundred speak of says nothing among other words. */
const leastRarity = 4.6;

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
    namedIn(text) {
      const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
      const found = words.flatMap((_, from) =>
        words.slice(from, from + mostWords).flatMap((_, more) => {
          const some = words.slice(from, from + more + 1);
          const name = some.join('');
          const isAll = some.length === words.length;
          const isServer = isAll || some.length > 1 || !saysNothing(name);
          const isTool = isAll || some.length > 1 || (isServer && rarityInGeneral(stem(name)) >= leastRarity);
          return [
            ...(isServer ? (documents.get(serverKey(name)) ?? []) : []),
            ...(isTool ? (documents.get(toolKey(name)) ?? []) : []),
          ];
        }),
      );
      return [...new Set(found)];
    },
  };
}

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\d]+/gu, '');
const toolKey = (name: string): string => `tool ${name}`;
const serverKey = (name: string): string => `server ${name}`;

const keysOf = ({ name, source }: SearchedTool): readonly string[] => [
  toolKey(bare(name)),
  serverKey(bare(source.module)),
];

const saysNothing = (word: string): boolean =>
  [actionWords, ordinaryWords, requestWords, stopWords].some((words) => words.has(word));
