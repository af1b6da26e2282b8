const deceiving = /[\p{Cc}\p{Cf}]/gu;

/** What a person decides upon: nothing is dropped, and what couldn't be seen is spelled out, as `\u{200b}`. */
export function spelledOut(text: string): string {
  return text.replace(deceiving, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
