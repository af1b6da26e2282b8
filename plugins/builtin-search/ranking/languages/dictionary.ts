import ar from './words/ar.json' with { type: 'json' };
import bn from './words/bn.json' with { type: 'json' };
import de from './words/de.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };
import fr from './words/fr.json' with { type: 'json' };
import hi from './words/hi.json' with { type: 'json' };
import id from './words/id.json' with { type: 'json' };
import it from './words/it.json' with { type: 'json' };
import ja from './words/ja.json' with { type: 'json' };
import ko from './words/ko.json' with { type: 'json' };
import pt from './words/pt.json' with { type: 'json' };
import ru from './words/ru.json' with { type: 'json' };
import zh from './words/zh.json' with { type: 'json' };

/**
 * The vocabulary of one language about tools: a file of words/. Words are separated by spaces; `_` or `-` within one means
 * that the next word must follow ("mot_de_passe"). Generated once by a language model, then proofread.
 */
export interface Dictionary {
  /** Its name in English. */
  readonly language: string;
  /** A regular expression for one of its characters, unless it is written in Latin letters. */
  readonly script?: string;
  /** False: words are not separated by spaces, and a form may be any part of a text. Otherwise it is the start of a word. */
  readonly spaces?: boolean;
  /** Letters per character, if more than one, as in Korean syllables. */
  readonly lettersPerCharacter?: number;
  /** A regular expression for prefixes of words: Arabic "and", "the". */
  readonly prefixes?: string;
  /**
   * Everyday words, complete: they identify the language and say nothing about what is wanted. They take precedence over
   * actions and things.
   */
  readonly ordinary: readonly string[];
  /** What tools do. Keys are the English words to search for. */
  readonly actions: Readonly<Record<string, string>>;
  /** What tools are about, likewise. */
  readonly things: Readonly<Record<string, string>>;
  /**
   * Phrases that ask for Pegboard's own tools, by tool name, separated by commas. A request with all words of a phrase, in
   * any order, names the tool.
   */
  readonly ownTools: Readonly<Record<string, string>>;
}

/**
 * To add a language, add a file of words/ and its lines here. Of languages with the same script the one that knows most
 * of a request is used, or else the first.
 */
export const dictionaries = { de, fr, es, pt, it, ru, zh, ja, ko, hi, bn, ar, id } satisfies Record<
  string,
  Dictionary
>;

export type Language = keyof typeof dictionaries;

export const dictionaryOf = (language: Language): Dictionary => dictionaries[language];
