/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** What the terminal has said of itself, as far as it has. */
export interface TerminalAnswers {
  background?: Colour;
  /** Whether it shows pictures in sixel. */
  sixel?: boolean;
  /** One character, in pixels. */
  cell?: { readonly width: number; readonly height: number };
}

export type Topic = keyof TerminalAnswers;

interface Question {
  readonly ask: string;
  /** What the answer may look like before all of it is there, also right after an Escape. Matches nothing that a key sends. */
  readonly begun: RegExp;
  readonly whole: RegExp;
  /** Undefined for an answer that says nothing. */
  read(groups: readonly string[]): TerminalAnswers | undefined;
}

const questions: { readonly [topic in Topic]: Question } = {
  // OSC 11: "rgb:ffff/ffff/ffff", with one to four digits for each of red, green and blue.
  background: {
    ask: '\x1b]11;?\x07',
    begun: /^\x1b{1,2}\](?:1(?:1(?:;[ -~]{0,40}\x1b?)?)?)?$/,
    whole: /^\x1b{1,2}\]11;([ -~]*)(?:\x07|\x1b\\)$/,
    read([colour = '']) {
      const [, ...parts] = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(colour) ?? [];
      const [red, green, blue] = parts.map((part) =>
        Math.round((Number.parseInt(part, 16) / (16 ** part.length - 1)) * 255),
      );
      return blue === undefined ? undefined : { background: [red!, green!, blue] };
    },
  },
  // DA1: what the terminal can, as numbers; 4 is sixel.
  sixel: {
    ask: '\x1b[c',
    begun: /^\x1b{1,2}\[(?:\?[\d;]{0,60})?$/,
    whole: /^\x1b{1,2}\[\?([\d;]*)c$/,
    read: ([features = '']) => ({ sixel: features.split(';').slice(1).includes('4') }),
  },
  // XTWINOPS 16: height, then width.
  cell: {
    ask: '\x1b[16t',
    begun: /^\x1b{1,2}\[(?:6(?:;[\d;]{0,12})?)?$/,
    whole: /^\x1b{1,2}\[6;(\d+);(\d+)t$/,
    read([height, width]) {
      const cell = { width: Number(width), height: Number(height) };
      return isPlausible(cell.width) && isPlausible(cell.height) ? { cell } : undefined;
    },
  },
};

/** Some terminals answer 0. */
const isPlausible = (pixels: number): boolean => pixels >= 2 && pixels <= 100;

export interface AnswerReader<Key> {
  /** Expects the answers to these, and returns the sequences that ask. */
  ask(topics: readonly Topic[]): string;
  /**
   * Takes a key and what the terminal has sent for it. Returns the keys that are no part of an answer: none while it isn't
   * clear yet, then all of them.
   */
  keys(key: Key, sequence: string): readonly Key[];
}

/** Takes answers, whenever they come, out of the keys that they are typed between, and writes them into `answers`. */
export function createAnswerReader<Key>(answers: TerminalAnswers): AnswerReader<Key> {
  const open = new Set<Question>();
  let text = '';
  let held: Key[] = [];
  const release = (): readonly Key[] => {
    text = '';
    return held.splice(0);
  };
  return {
    ask(topics) {
      const asked = topics.map((topic) => questions[topic]);
      for (const question of asked) open.add(question);
      return asked.map(({ ask }) => ask).join('');
    },
    keys(key, sequence) {
      // Escape is a key by itself. The rest of an answer may still follow, on a slow connection.
      if (sequence === '\x1b' && text === '') {
        text = open.size > 0 ? sequence : '';
        return [key];
      }
      const joined = text + sequence;
      for (const question of open) {
        const [match, ...groups] = question.whole.exec(joined) ?? [];
        if (match === undefined) continue;
        open.delete(question);
        Object.assign(answers, question.read(groups));
        text = '';
        held = [];
        return [];
      }
      if (joined !== '' && [...open].some(({ begun }) => begun.test(joined))) {
        text = joined;
        held.push(key);
        return [];
      }
      // What was held is no answer, but this may begin one.
      return text === '' ? [key] : [...release(), ...this.keys(key, sequence)];
    },
  };
}

/** How bright people see each colour: ITU-R BT.601. */
export const isLight = ([red, green, blue]: Colour): boolean =>
  0.299 * red + 0.587 * green + 0.114 * blue > 127;
