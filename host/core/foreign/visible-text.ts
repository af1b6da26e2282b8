import { withoutEscapeSequences } from './escape-sequences.ts';
import { stripHidden } from './hidden-characters.ts';

/** `text` without what is invisible to people but read by models or obeyed by terminals. */
export const visibleText = (text: string): string => stripHidden(withoutEscapeSequences(text));

const tags = /[\u{E0000}-\u{E007F}]/gu;

/** `text` without what only models read: invisible tags, which can spell whole sentences, and escape sequences. */
export const withoutTags = (text: string): string => withoutEscapeSequences(text).replace(tags, '');
