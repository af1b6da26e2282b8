/** Keys of a skill whose values are texts. */
const textKey = /^(name|description|license|compatibility):[ \t]+(?![|>])(\S.*)$/;

/**
 * Front matter in which texts need no quotes, as other programs read it: `description: Use when: …`. Its lines stay
 * where they are.
 */
export function quoteTexts(head: string): string {
  const lines = head.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [, key, first = ''] = textKey.exec(line) ?? [];
    if (key === undefined) continue;
    const text = [first.trim()];
    // Indented lines go on with it.
    while (/^[ \t]+\S/.test(lines[at + text.length] ?? '')) text.push(lines[at + text.length]!.trim());
    const whole = text.join(' ');
    if (/^(["'])(?:(?!\1).|\\.|'')*\1$/.test(whole)) continue;
    lines.splice(at, text.length, `${key}: ${JSON.stringify(whole)}`, ...text.slice(1).map(() => ''));
  }
  return lines.join('\n');
}
