import { rarityInGeneral, rarestInGeneral } from '../ordinary-rarity.ts';
import { stem } from '../../index/stem.ts';
import { actionWords, ordinaryWords, requestWords, stopWords } from '../stop-words.ts';
import { synonyms } from '../synonyms.ts';

const lists = [stopWords, actionWords, requestWords, ordinaryWords];

/** Whether it is an everyday English word. */
export const isOrdinaryEnglish = (word: string): boolean => lists.some((list) => list.has(word));

/** Whether it is a word that English requests and tools use. */
export function isEnglish(word: string): boolean {
  return isOrdinaryEnglish(word) || isEnglishStem(stem(word));
}

export const isEnglishStem = (root: string): boolean =>
  synonyms.has(root) || rarityInGeneral(root) < rarestInGeneral;
