import { formsOf } from './secret-forms.ts';
import { escapeBegun, unescaped, unfolded, type TextView } from './text-views.ts';

/** A known value with its name for display and its encoded forms for search. */
export interface KnownSecret {
  readonly name: string;
  readonly value: string;
}

/** Finds known secrets in texts. */
export interface SecretFinder {
  /** Replaces each with `[secret NAME]`. */
  replace(text: string): string;
  /**
   * The offset at which an incomplete secret or escape at the end of the text begins. The text's length if there is
   * none.
   */
  begunAt(text: string): number;
  /** The name of a secret that these bytes contain unencoded. */
  nameIn(bytes: Buffer): string | undefined;
  /** Whether memory holds a secret, in any of its forms, as a string of one or two bytes a character. */
  isInMemory(bytes: Buffer): boolean;
}

/** Characters of a form in the pattern. It can't be made of one that is much longer. */
const maxInPattern = 16 * 1024;

export function createSecretFinder(secrets: readonly KnownSecret[]): SecretFinder {
  const names = new Map(secrets.flatMap(({ name, value }) => formsOf(value).map((form) => [form, name])));
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length);
  const long = longestFirst.filter((form) => form.length > maxInPattern);
  const others = longestFirst.slice(long.length).map((form) => RegExp.escape(form));
  // Without any, it finds nothing.
  const pattern = new RegExp(others.join('|') || '(?!)', 'g');
  const byFirst = Map.groupBy(longestFirst, (form) => form[0]!);
  const shown = (form: string): string => `[secret ${names.get(form)}]`;

  /** Finds secrets in the view and replaces them in the original. */
  const replaceIn = (original: string, { text, starts, ends }: TextView): string => {
    let result = '';
    let at = 0;
    for (const { 0: form, index } of text.matchAll(pattern)) {
      result += original.slice(at, starts[index]) + shown(form);
      at = ends[index + form.length - 1]!;
    }
    return result + original.slice(at);
  };
  const begunIn = (text: string): number => {
    for (let at = 0; at < text.length; at++) {
      const rest = text.length - at;
      const begun = byFirst
        .get(text[at]!)
        ?.some((form) => form.length > rest && text.startsWith(form.slice(0, rest), at));
      if (begun) return at;
    }
    return text.length;
  };

  const minLength = longestFirst.at(-1)?.length ?? Infinity;

  return {
    replace(text) {
      // Mostly member names.
      if (text.length < minLength) return text;
      const short = long.reduce((rest, form) => rest.replaceAll(form, () => shown(form)), text);
      let clean = short.replace(pattern, shown);
      for (const look of [unescaped, unfolded]) {
        const view = look(clean);
        if (view) clean = replaceIn(clean, view);
      }
      return clean;
    },
    begunAt(text) {
      const plain = begunIn(text);
      const whole = text.replace(escapeBegun, '');
      const view = unescaped(whole);
      const begun = begunIn(view?.text ?? whole);
      return Math.min(plain, view?.starts[begun] ?? (view ? whole.length : begun));
    },
    isInMemory: (bytes) =>
      (['latin1', 'utf16le'] as const).some((encoding) => {
        const text = bytes.toString(encoding);
        return text.search(pattern) >= 0 || long.some((form) => text.includes(form));
      }),
    nameIn: (bytes) => secrets.find(({ value }) => bytes.includes(value))?.name,
  };
}
