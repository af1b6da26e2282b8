// A mention is @notes.md, @~/notes.md or @"two words.md".

/** Not within a word, so that an address such as ada@example.org mentions nothing. */
const mentions = /(?<![\p{L}\p{N}_.%+/@-])@(?:"([^"\n]+)"|([^\s"@][^\s"]*))/gu;
const closing = /[.,;:!?)\]}'’”]+$/;

/** The paths that a message may mention, each with a shorter one where punctuation follows. Pure. */
export function mentionsIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(mentions)].map(([, quoted, plain = '']) => {
    if (quoted !== undefined) return [quoted];
    const shorter = plain.replace(closing, '');
    return shorter === '' || shorter === plain ? [plain] : [plain, shorter];
  });
}

/** How a path is written in a message. */
export const mentionOf = (path: string): string => (/[\s"]/.test(path) ? `@"${path}"` : `@${path}`);

/** The mention that is being written at the end of a text: `@"two wo`. */
export function openMention(before: string): { readonly word: string; readonly path: string } | undefined {
  const [word, quoted, plain] =
    /(?<![\p{L}\p{N}_.%+/@-])@(?:"([^"\n]*)|([^\s"@][^\s"]*|))$/u.exec(before) ?? [];
  return word === undefined ? undefined : { word, path: quoted ?? plain ?? '' };
}
