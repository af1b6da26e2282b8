/** What can't be judged here: js-yaml reads it, whether it is right or wrong. */
export const unsure = Symbol('unsure');

export const code = {
  lineEnd: 10,
  space: 32,
  quote: 34,
  hash: 35,
  apostrophe: 39,
  comma: 44,
  dash: 45,
  colon: 58,
  openList: 91,
  closeList: 93,
  openMap: 123,
  literal: 124,
  closeMap: 125,
  folded: 62,
} as const;

/** Of the first 128 characters, 1 for those in `text`. */
export function characters(text: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of text) table[character.charCodeAt(0)] = 1;
  return table;
}

export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A place in a text, and how far the line that it is on is indented. */
export class Cursor {
  readonly text: string;
  /** Where the next thing to read begins. */
  at = 0;
  /** Spaces; -1 behind the last line. */
  indent = -1;

  constructor(text: string) {
    this.text = text;
  }

  /** The code of the next character; NaN at the end. */
  get next(): number {
    return this.text.charCodeAt(this.at);
  }

  /** The next character that is no space. */
  skipSpaces(): number {
    while (this.next === code.space) this.at++;
    return this.next;
  }

  /** How many spaces stand at an offset. */
  spacesFrom(start: number): number {
    let end = start;
    while (this.text.charCodeAt(end) === code.space) end++;
    return end - start;
  }

  endOfLine(from = this.at): number {
    const end = this.text.indexOf('\n', from);
    return end < 0 ? this.text.length : end;
  }

  /** Goes to the first line behind this one that holds more than a comment. */
  nextLine(): void {
    this.goTo(this.endOfLine() + 1);
  }

  /** Goes to the first line from `start` on that holds more than a comment. */
  goTo(start: number): void {
    const { text } = this;
    for (let line = start; line < text.length;) {
      const at = line + this.spacesFrom(line);
      const first = text.charCodeAt(at);
      if (first !== code.lineEnd && first !== code.hash && at < text.length) {
        this.at = at;
        this.indent = at - line;
        return;
      }
      line = this.endOfLine(at) + 1;
    }
    this.at = text.length;
    this.indent = -1;
  }
}
