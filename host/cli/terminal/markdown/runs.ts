import type { ProseStyle } from '../style.ts';
import { columnsOf, widthOf } from '../width.ts';

/** The style, and the width in columns; unlimited where lines aren't to be wrapped. */
export interface PageLayout {
  readonly style: ProseStyle;
  readonly width: number;
}

type Paint = (text: string) => string;

/** Text in one style, without line breaks. */
export interface TextRun {
  readonly text: string;
  readonly paint: Paint;
}

/** Runs with the places where the text itself begins a new line. */
export type Flow = readonly (TextRun | 'break')[];

/** A space, or something that stays on one line: a word may change its style in the middle. */
interface Word {
  readonly runs: readonly TextRun[];
  readonly space: boolean;
}

/** Words of scripts without spaces may be split anywhere. */
const pieces =
  /\s+|[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[^\s\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+/gu;
const alone = /^[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u;

/** Lines of at most `columns`; a word that is longer is broken where the line ends. */
export function layOut(flow: Flow, columns: number): string[] {
  const room = Math.max(1, columns);
  const lines: TextRun[][] = [[]];
  let used = 0;
  let gap: Word | undefined;
  const newLine = (): void => {
    lines.push([]);
    used = 0;
    gap = undefined;
  };
  for (const word of wordsIn(flow)) {
    if (word === 'break') newLine();
    else if (word.space) gap = word;
    else {
      const width = widthOfWord(word);
      if (used > 0 && used + (gap ? 1 : 0) + width > room) newLine();
      if (used > 0 && gap) used += add(lines, [{ ...gap.runs[0]!, text: ' ' }]);
      gap = undefined;
      if (used + width <= room) used += add(lines, word.runs);
      else used = addBroken(lines, word, room, used);
    }
  }
  return lines.map(paintLine);
}

/** The width of the flow with only its own line breaks. */
export function naturalWidth(flow: Flow): number {
  return Math.max(0, ...layOut(flow, Number.POSITIVE_INFINITY).map(widthOf));
}

/** The width of its longest word. */
export function longestWord(flow: Flow): number {
  return Math.max(
    0,
    ...wordsIn(flow).map((word) => (word === 'break' || word.space ? 0 : widthOfWord(word))),
  );
}

function wordsIn(flow: Flow): (Word | 'break')[] {
  const words: (Word | 'break')[] = [];
  for (const run of flow) {
    if (run === 'break') {
      words.push(run);
      continue;
    }
    for (const [text] of run.text.matchAll(pieces)) {
      const space = text.trim() === '' && !text.includes('\u00a0');
      const last = words.at(-1);
      const joins = last !== undefined && last !== 'break' && last.space === space && !alone.test(text);
      const afterAlone = joins && !space && alone.test(last.runs.at(-1)!.text);
      if (joins && !afterAlone) words[words.length - 1] = { space, runs: [...last.runs, { ...run, text }] };
      else words.push({ space, runs: [{ ...run, text }] });
    }
  }
  return words;
}

const widthOfWord = ({ runs }: Word): number => runs.reduce((sum, { text }) => sum + widthOf(text), 0);

function add(lines: TextRun[][], runs: readonly TextRun[]): number {
  lines.at(-1)!.push(...runs);
  return widthOfWord({ runs, space: false });
}

function addBroken(lines: TextRun[][], { runs }: Word, room: number, start: number): number {
  let used = start;
  for (const { text, paint } of runs) {
    for (const character of text) {
      const width = columnsOf(character);
      if (used > 0 && used + width > room) {
        lines.push([]);
        used = 0;
      }
      lines.at(-1)!.push({ text: character, paint });
      used += width;
    }
  }
  return used;
}

/** Neighbouring runs of one style are painted together. */
function paintLine(runs: readonly TextRun[]): string {
  const merged: { text: string; paint: Paint }[] = [];
  for (const { text, paint } of runs) {
    const last = merged.at(-1);
    if (last?.paint === paint) last.text += text;
    else merged.push({ text, paint });
  }
  return merged.map(({ text, paint }) => paint(text)).join('');
}
