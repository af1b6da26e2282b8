/**
 * The head of a chat message, above it or at its start: name and time of day, in any order and clock notation. It is
 * recognised by its shape: a time with a few words that may be a name and a day.
 */
import { callMark } from './skeleton.ts';

const hour = String.raw`(?:[01]?\d|2[0-4]|(?!\d)\p{Nd}{1,2})`;
const sixty = String.raw`(?:[0-5]\d|(?!\d)\p{Nd}{2})`;
/** Between hours and minutes; caseless scripts use a word. */
const ofHours = String.raw`[ \u00A0\u202F]?(?:\p{Lo}{1,3}|hs?|u|ч|giờ|óra)[ \u00A0\u202F]?`;
const ofMinutes = String.raw`(?:[ \u00A0\u202F]?(?:\p{Lo}{1,3}|m|min|мин|phút|perc)(?!\p{L}))?`;
const halfDay = String.raw`(?:\s?[ap]\.?\s?m(?:\.|(?!\p{L}))|\s?(?:uhr|h)(?!\p{L})|\s?\p{L}{1,2}\.(?:\s?\p{L}{1,2}\.)?)`;
const clock = new RegExp(
  [
    String.raw`${hour}[:：∶]${sixty}(?<seconds>[:：∶.]${sixty}(?:[.,]\d{1,9})?)?(?:Z|[+\-]\d\d:?\d\d)?${halfDay}?(?![:：]?\p{Nd})`,
    String.raw`${hour}${ofHours}${sixty}${ofMinutes}(?!\p{Nd})`,
    String.raw`${hour}\s?[時时點点시]\s?\p{Nd}{1,2}\s?[分분]`,
    String.raw`${hour}(?:\s?[ap]\.?\s?m(?:\.|(?!\p{L}))|\s?uhr(?!\p{L})|[時时시]半?(?!\p{Nd}))`,
    String.raw`${hour}\.${sixty}${halfDay}(?!\p{Nd})`,
    String.raw`(?<=[,–—|·•@([]\s?|\s(?:kl\.?|klo|kell|um|alle|ore|pukul|jam)\s)${hour}\.${sixty}(?![\p{Nd}.])`,
    // Without a word next to it, it may be a number.
    String.raw`(?<number>${hour}\.${sixty})(?![\p{Nd}.])`,
  ]
    .map((source) => `(?<![\\p{Nd}:.,/\\\\])(?:${source})`)
    .join('|'),
  'iu',
);

const bulleted = /^\s*[-*+•]\s/;
/** Formatting around a name. */
const decoration = /^[\s*_#~`]+|\p{Cf}/gu;
const opensBracket = /^[[(<][^\])>]*$/;
const closesBracket = /^(?:\s?\p{L}{1,4})?\s?[\])>]/u;
const labelFollows = /^\s*[\])>]?[*_`]*\s*[:：]/;
const sentenceEnds = /[.!?。！？…:：,，;；]["'”’)*_\s]*$/u;
const dates = /\p{Nd}+(?:[./-]\p{Nd}+)*[年月日号號년월일]?/gu;
const noName = /[!?。！？…:：;；"“”=\\{}]|\/\/|\p{L}{3,}\.\s/u;
const separator = /[–—|·•@[(]|\s-\s|\s{2}|\t/u;
/** Scripts without spaces between words: too long for a name, and too long to be attached to a time. */
const longRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]{9}/u;
const attachedRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]{5}/u;
const maxWords = 5;
/** Characters of a line in which its head must end. */
const maxHeadLength = 150;

/**
 * Whether a line is the head of a message: 2 surely, 1 if the time may be a number, 0 no. `isLabelled`: whether a text
 * begins with a speaker's label.
 */
export function weighHead(line: string, isLabelled: (text: string) => boolean): number {
  if (bulleted.test(line)) return 0;
  const head = line.split(callMark, 1)[0]!.slice(0, maxHeadLength).replaceAll(decoration, '');
  const found = clock.exec(head);
  if (!found) return 0;
  const before = head.slice(0, found.index);
  const after = head.slice(found.index + found[0].length);
  if (opensBracket.test(before) && closesBracket.test(after)) return 2;
  if (!/\p{L}/u.test(before)) {
    if (found.groups!['seconds'] !== undefined || isLabelled(after.replace(/^[\s\])>|,·•–—-]+/, '')))
      return 2;
  }
  const speaks = labelFollows.test(after);
  if (!speaks && sentenceEnds.test(after)) return 0;
  if (!isName(before, speaks ? '' : after, speaks)) return 0;
  return found.groups!['number'] === undefined ? 2 : 1;
}

/** Sentences have more words, or more that begin in lowercase. */
function isName(before: string, after: string, speaks: boolean): boolean {
  if (attachedRun.test(before.slice(-5)) || attachedRun.test(after.slice(0, 5))) return false;
  const said = `${before} ${after}`.trim().replaceAll(dates, '');
  if (noName.test(said) || longRun.test(said)) return false;
  const words = said.match(/[\p{L}\p{M}][\p{L}\p{M}\p{N}'’_.-]*/gu) ?? [];
  const lowercase = words.filter((word) => /^\p{Ll}/u.test(word)).length;
  const maxLowercase = words.length === 1 ? 1 : speaks ? 0 : separator.test(said) ? 3 : 2;
  return words.length <= maxWords && lowercase <= maxLowercase;
}
