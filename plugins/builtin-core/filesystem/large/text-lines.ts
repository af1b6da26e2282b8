/** Number of lines; the last one may lack its line end. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** The offset behind so many lines from `start` on, and how many there were. */
export function skipLines(
  text: string,
  start: number,
  { most, maxLength = Infinity }: { readonly most: number; readonly maxLength?: number },
): { readonly end: number; readonly lines: number } {
  let end = start;
  let lines = 0;
  while (lines < most && end < text.length) {
    const next = text.indexOf('\n', end) + 1 || text.length;
    // At least one, however long.
    if (lines > 0 && next - start > maxLength) break;
    end = next;
    lines++;
  }
  return { end, lines };
}
