import type { ComponentChildren } from 'preact';
import { replaceHidden } from 'pegboard/browser';

/** Text in which characters that nobody would see, and those that turn others around, are spelled out: ⟨U+202E⟩. */
export const spelledOut = (text: string): string => replaceHidden(text, spell);

/** The same, with what was spelled out marked. */
export function HiddenText({ text }: { readonly text: string }): ComponentChildren {
  const spelled = spelledOut(text.replaceAll('\r', spell));
  if (spelled === text) return text;
  return spelled.split(/(⟨U\+[0-9A-F]+⟩)/).map((part, at) => (at % 2 === 0 ? part : <mark>{part}</mark>));
}

const spell = (found: string): string =>
  Array.from(found, (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`).join(
    '',
  );
