import { blocksAround } from './blocks.ts';
import { weighLabels, weightOfTranscript } from './labelled-lines.ts';
import { quotationsOf } from './quotations.ts';
import { callMark, madeUpMark, type Skeleton } from './skeleton.ts';

/** Why its surroundings prevent a call from running. */
export interface Misplacement {
  readonly why: string;
  /** It is quoted: it stays text, and no error is reported. */
  readonly isQuoted: boolean;
}

/**
 * For each call of a reply in order; undefined when it may run. A reply should end in its calls. Only a one-line
 * sentence, or a line that introduces the next call, may follow a call. Calls in a multi-line quotation, a list item or
 * a transcript never run.
 */
export function judgeSurroundings(skeleton: Skeleton): readonly (Misplacement | undefined)[] {
  const said = skeleton.split(madeUpMark, 1)[0]!;
  const parts = said.split(callMark);
  const labels = labelsAround(said);
  const blocks = blocksAround(said);
  return quotationsOf(skeleton).map((quotation, index) => {
    if (quotation === 'closed') return { why: 'it is in a quotation', isQuoted: true };
    if (quotation === 'open') return unclear('a quotation that begins before it never ends');
    if (blocks[index] !== undefined) return unclear(blocks[index]);
    if (labels[index]) return unclear('it is among labelled lines, as in a transcript or a message');
    const why = whyNotLast(parts, index);
    return why === undefined ? undefined : unclear(why);
  });
}

/** For each call: whether the labelled lines around it make a transcript. */
function labelsAround(said: string): boolean[] {
  const lines = said.split('\n');
  const weights = weighLabels(lines);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return lines.flatMap((line, index) => {
    before += weights[index]!;
    const isAmong = before > 0 && all >= weightOfTranscript;
    return Array.from({ length: line.split(callMark).length - 1 }, () => isAmong);
  });
}

const unclear = (why: string): Misplacement => ({ why, isQuoted: false });

function whyNotLast(parts: readonly string[], index: number): string | undefined {
  const after = parts[index + 1]!;
  if (after.trim() === '') return undefined;
  const lead = parts[index]!.trimEnd();
  const isLast = parts.length === index + 2;
  if (isLast && /^[ \t]*\S/.test(after)) return 'text follows it on its line';
  if (!isLast) return isOneLine(after) ? undefined : 'other text is between it and the next call';
  if (leadsOn.test(lead)) return 'a line introduces it and text follows it, like a citation';
  if (!isOneLine(after) || !isSentence(after) || !(lead === '' || (isOneLine(lead) && isSentence(lead))))
    return 'other text follows it';
  return undefined;
}

const leadsOn = /[:：][*_]*$/;
/** The end of a sentence in any script; closing marks and emoji may follow. */
const sentenceEnd = /[.!?…。！？｡।؟۔։።][)\]*_"'”’»\s\p{Extended_Pictographic}\uFE0F\u200D]*$/u;
const maxSentenceLength = 300;

const isOneLine = (text: string): boolean => !text.trim().includes('\n');
const isSentence = (text: string): boolean =>
  text.trim().length <= maxSentenceLength && sentenceEnd.test(text);
