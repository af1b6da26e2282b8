/** A paragraph with the empty lines behind it, or the lines of a code block without its fences. */
interface Block {
  readonly text: string;
  /** What stands behind the opening fence, such as "ts". Absent: not code. */
  readonly language?: string;
}

/**
 * Splits Markdown into texts of at most `limit` characters: between paragraphs if possible, else between lines, sentences
 * or words. A code block that is split is one in each text. Takes linear time, whatever the text.
 */
export function splitMarkdown(markdown: string, limit: number): readonly string[] {
  const texts: string[] = [];
  let text = '';
  for (const { text: whole, language } of blocksOf(markdown)) {
    const frame = language === undefined ? 0 : '```\n\n```\n'.length + language.length;
    for (let rest = whole; rest !== '';) {
      const room = limit - text.length - frame;
      const fits = rest.trimEnd().length <= room;
      if (!fits && text !== '' && (rest.length + frame <= limit || room < limit / 2)) {
        texts.push(text);
        text = '';
        continue;
      }
      const part = fits ? rest : rest.slice(0, splitPosition(rest, Math.max(room, 1)));
      rest = rest.slice(part.length);
      text += language === undefined ? part : `\`\`\`${language}\n${part.replace(/\n$/, '')}\n\`\`\`\n`;
    }
  }
  return [...texts, text]
    .map((one) => one.replace(/^(?:[ \t]*\n)+/, '').trimEnd())
    .filter((one) => /[^\s\p{Cc}\p{Cf}]/u.test(one));
}

const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,30})[^`\n]*$/;

function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines = '';
  let code: { readonly fence: string; readonly language: string } | undefined;
  const end = (): void => {
    if (lines !== '') blocks.push(code ? { text: lines, language: code.language } : { text: lines });
    lines = '';
  };
  for (const line of markdown.split('\n')) {
    const [, fence = '', language = ''] = opening.exec(line) ?? [];
    if (code && line.trim().startsWith(code.fence) && /^[`~\s]*$/.test(line)) {
      end();
      code = undefined;
    } else if (!code && fence !== '') {
      end();
      code = { fence, language };
    } else {
      // A fence within a longer one would end the block.
      lines += `${code ? line.replaceAll('```', '`\u200B`\u200B`') : line}\n`;
      if (!code && line.trim() === '') end();
    }
  }
  end();
  return blocks;
}

/** From the best place to the worst. Places in the first half of the limit are not used. */
const places = [/\n/g, /[.!?…]["')\]]?\s/g, /\s/g];

function splitPosition(text: string, limit: number): number {
  const head = text.slice(0, limit);
  for (const place of places) {
    const last = [...head.matchAll(place)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end > limit / 2) return end;
  }
  // A single long word: don't split a surrogate pair.
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? limit - 1 : limit;
}
