import { replaceHidden, replaceUnseen } from './hidden-characters.ts';

/**
 * Foreign text as it is shown to a person everywhere: nothing is dropped, and characters that are invisible or affect a
 * terminal are spelled out, such as `\u{200b}`. Line feeds and tabs stay. Idempotent.
 */
export const shownText = (text: string): string => replaceHidden(text.replaceAll('\r', spell), spell);

/** The same for a single line: names, titles, messages. Line ends and spaces become one space. */
export const shownLine = (text: string): string => shownText(onOneLine(text));

/**
 * Foreign text that a person decides upon, such as a command: blanks that aren't the space of a keyboard are spelled out
 * too. In prose they are common, and stay.
 */
export const exactText = (text: string): string => replaceUnseen(text.replaceAll('\r', spell), spell);

/** The same for a single line. */
export const exactLine = (text: string): string => exactText(onOneLine(text));

const onOneLine = (text: string): string => text.replace(/(?:[ \t\n]|\r\n)+/g, ' ').replace(/^ | $/g, '');

const spell = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** JSON in which every character is visible, with the same value. */
export const visibleJson = (json: string): string =>
  replaceHidden(json, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
