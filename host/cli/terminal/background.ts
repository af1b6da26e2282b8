/** What terminals answer with their background's colour. */
export const backgroundQuestion = '\x1b]11;?\x07';

const start = '\x1b]';
const ends: ReadonlySet<string> = new Set(['\x07', '\x1b\\']);
/** "11;rgb:1e1e/1e1e/1e1e" is usual. */
const maxAnswerLength = 40;

/**
 * Takes the answer, whenever it comes, out of the sequences of keys that it is typed between. Returns whether a sequence
 * belongs to it. `answered` is called once.
 */
export function createBackgroundReader(
  answered: (background: 'light' | 'dark') => void,
): (sequence: string) => boolean {
  let text: string | undefined;
  let isDone = false;
  return (sequence) => {
    if (isDone) return false;
    if (text === undefined) {
      if (sequence === start) text = '';
      return sequence === start;
    }
    if (ends.has(sequence)) {
      isDone = true;
      const background = backgroundIn(text);
      if (background) answered(background);
      return true;
    }
    text += sequence;
    isDone = text.length > maxAnswerLength || !/^[\da-z;:/]*$/i.test(text);
    return !isDone;
  };
}

/** Of "11;rgb:ffff/ffff/ffff", with one to four digits for each of red, green and blue. */
function backgroundIn(answer: string): 'light' | 'dark' | undefined {
  const [, ...parts] = /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(answer) ?? [];
  if (parts.length === 0) return undefined;
  const [red, green, blue] = parts.map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  // How bright people see each (ITU-R BT.601).
  return 0.299 * red! + 0.587 * green! + 0.114 * blue! > 0.5 ? 'light' : 'dark';
}
