import { replaceHidden } from './hidden-characters.ts';

/**
 * Text of others as a person is shown it, everywhere: nothing is dropped, and what couldn't be seen, or would do something
 * to a terminal, is spelled out, as `\u{200b}`. Line feeds and tabs stay. What is shown once may be shown again.
 */
export const shownText = (text: string): string => replaceHidden(text.replaceAll('\r', spell), spell);

/** The same for one line among others: names, titles, messages. Line ends and spaces become one space. */
export const shownLine = (text: string): string =>
  shownText(text.replace(/(?:[ \t\n]|\r\n)+/g, ' ').replace(/^ | $/g, ''));

const spell = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** JSON in which every character can be seen; its reader gets the very same value. */
export const visibleJson = (json: string): string =>
  replaceHidden(json, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
