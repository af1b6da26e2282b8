import { withoutEscapeSequences } from './escape-sequences.ts';
import { stripHidden } from './hidden-characters.ts';

/** `text` without what a person wouldn't see but a model would read, or a terminal would obey. */
export const visibleText = (text: string): string => stripHidden(withoutEscapeSequences(text));

const tags = /[\u{E0000}-\u{E007F}]/gu;

/** `text` without what writes to a model alone: invisible tags, which spell whole sentences, and escape sequences. */
export const withoutTags = (text: string): string => withoutEscapeSequences(text).replace(tags, '');
