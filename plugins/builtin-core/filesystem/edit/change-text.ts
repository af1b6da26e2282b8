import { newTextForm, type DecodedText } from '../content.ts';
import type { Replacement } from './count-found.ts';
import { replaceText } from './replace-text.ts';

export type TextChange =
  | { readonly kind: 'write'; readonly content: string }
  | ({ readonly kind: 'edit' } & Replacement);

export interface Changed extends DecodedText {
  readonly replaced: number;
}

/** The new content of a file, given the old one if there is any. Throws PEG_TOOL_FAILED. */
export function changeText(path: string, old: DecodedText | undefined, change: TextChange): Changed {
  if (change.kind === 'edit') return replaceText(path, old, change);
  return { ...rewrite(old, change.content), replaced: 0 };
}

/** A file keeps its encoding, its byte order mark and, if the new content has no CRLF, its CRLF line ends. */
function rewrite(old: DecodedText | undefined, content: string): DecodedText {
  const form = old?.form ?? newTextForm;
  const text =
    form.lineEnd === '\r\n' && !content.includes('\r') ? content.replaceAll('\n', '\r\n') : content;
  return { text, form };
}
