/** One fenced block of a document. The words after the language tell the tests what to do with it. */
export interface Block {
  /** "sh", "yaml", "json", "md", "ts", "console" … */
  readonly language: string;
  readonly text: string;
  /** Line number of its first line of text, from 1. */
  readonly line: number;
  /** `file=PATH`: the block is written to this file, in the order of the document. */
  readonly file: string | undefined;
  /** `refused=CODE`: the linter must refuse that file with this code. */
  readonly refused: string | undefined;
  /** Other words after the language: "templates accepted". */
  readonly words: readonly string[];
}

const opening = /^(\s*)(`{3,})([a-z]+)?(.*)$/;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, language = '', rest = ''] = opening.exec(lines[at]!) ?? [];
    if (fence === undefined) continue;
    const start = at + 1;
    const end = lines.indexOf(indent + fence, start);
    if (end < 0) throw new Error(`the block that opens in line ${start} is never closed`);
    const words = rest.split(/\s+/).filter(Boolean);
    const valueOf = (key: string): string | undefined =>
      words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
    const text = lines.slice(start, end).map((line) => line.slice(indent.length));
    blocks.push({
      language,
      text: `${text.join('\n')}\n`,
      line: start + 1,
      file: valueOf('file'),
      refused: valueOf('refused'),
      words: words.filter((word) => !word.includes('=')),
    });
    at = end;
  }
  return blocks;
}

/** The expected output of a block: its lines "# → text". */
export function promisesOf(block: Block): string[] {
  return [...block.text.matchAll(/^# → (.+)$/gm)].map((match) => match[1]!.trim());
}
