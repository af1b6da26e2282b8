import { stripHidden } from './hidden-characters.ts';

/** Terminal escape sequences: CSI, OSC, and short ones. */
const escapeSequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])/g;

/** `text` without what a person wouldn't see but a model would read, or a terminal would obey. */
export function visibleText(text: string): string {
  return stripHidden(text.includes('\u001B') ? text.replace(escapeSequence, '') : text);
}
