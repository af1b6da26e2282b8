/** Maximum lines that a hint quotes. */
const maxQuotedLines = 12;

/** The part of `text` that is most similar to `wanted`, as a hint after an edit that found nothing. */
export function nearMiss(text: string, wanted: string): string {
  const lines = text.split(/\r?\n/);
  const sought = wanted.replace(/^\n+|\n+$/g, '').split(/\r?\n/);
  const plainLines = lines.map(plain);
  const plainSought = sought.map(plain);

  const alike = findRun(plainLines, plainSought);
  if (alike !== undefined) {
    return `Lines ${alike + 1} to ${alike + sought.length} differ from it only in white space or quotation marks. They are:\n${quote(lines.slice(alike, alike + sought.length))}`;
  }
  const start = bestStart(plainLines, plainSought);
  if (start === undefined) return 'Nothing similar was found: read the file again.';
  const { line, same } = start;
  return `Its first ${same === 1 ? 'line is' : `${same} lines are`} at line ${line + 1}, but the lines after that differ:\n${quote(lines.slice(line, line + Math.max(sought.length, same + 1)))}`;
}

/** Normalises characters that are easily mistaken: white space and curly quotation marks. */
function plain(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

function findRun(lines: readonly string[], sought: readonly string[]): number | undefined {
  const found = lines.findIndex((_, at) => sought.every((line, index) => lines[at + index] === line));
  return found === -1 ? undefined : found;
}

/** The position at which most of the first lines match. */
function bestStart(
  lines: readonly string[],
  sought: readonly string[],
): { readonly line: number; readonly same: number } | undefined {
  let best: { readonly line: number; readonly same: number } | undefined;
  if (sought[0] === '') return best;
  for (const line of lines.keys()) {
    let same = 0;
    while (same < sought.length && lines[line + same] === sought[same]) same++;
    if (same > (best?.same ?? 0)) best = { line, same };
  }
  return best;
}

function quote(lines: readonly string[]): string {
  const shown = lines.slice(0, maxQuotedLines);
  return lines.length > maxQuotedLines ? [...shown, '…'].join('\n') : shown.join('\n');
}
