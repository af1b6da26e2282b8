/**
 * A word of a command without its quotes, as the texts between its wildcards: `log` is ["log"], `--out=*` is
 * ["--out=", ""].
 */
export type CommandWord = readonly string[];

/** A program's name and its arguments. */
export type SimpleCommand = readonly CommandWord[];

/** Characters of a command line. */
const maxLength = 20_000;

const space = /[ \t]+/y;
const operator = /(?:&&|\|\||\||;|\n)[ \t\n]*/y;
const redirection = /(?:(?:[12]?|&)>>?[ \t]*\/dev\/null|0?<[ \t]*\/dev\/null|[12]?>&[12])(?=[ \t\n;|&]|$)/y;
/**
 * Without characters that the shell expands (a `~` within a word is none), or that have a meaning of their own. Of others
 * than ASCII, some shells take single bytes for spaces.
 */
const plain = /(?:[\w./:=@%+,-]|(?<=\w)[~^])+/y;
const singleQuoted = /'([^'\0]*)'/y;
const doubleQuoted = /"([^"$`\\\0]*)"/y;
const wordEnd = /[ \t\n;|&]|$/y;

/** Words with which the shell begins something else than a simple command. */
const reserved = new Set(
  'if then elif else fi for while until do done case esac in select function coproc'.split(' '),
);

/**
 * The simple commands of a line that consists of plain words, quoted words, `&&`, `||`, `;`, `|`, line ends, redirections
 * to and from /dev/null, and `2>&1` alone. Undefined for every other line: what it runs is for the shell to compute. With
 * `wildcards`, an unquoted `*` is a wildcard; without, it is no plain character either.
 */
export const simpleCommandsOf = (
  text: string,
  options?: { readonly wildcards?: boolean },
): readonly SimpleCommand[] | undefined => simpleListOf(text, options)?.commands;

/** Simple commands, and what stands after each: the last may have nothing. */
export interface SimpleList {
  readonly commands: readonly SimpleCommand[];
  readonly operators: readonly string[];
}

/** The same with the operators between them. */
export function simpleListOf(
  text: string,
  { wildcards = false }: { readonly wildcards?: boolean } = {},
): SimpleList | undefined {
  const line = text.replaceAll(/^[ \t\n]+|[ \t\n]+$/g, '');
  if (line.length > maxLength) return undefined;
  const commands: SimpleCommand[] = [];
  const operators: string[] = [];
  let words: CommandWord[] = [];
  let at = 0;
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const found = expression.exec(line);
    if (found) at = expression.lastIndex;
    return found;
  };
  let last = '';
  while (at < line.length) {
    if (take(space) || take(redirection)) continue;
    const found = take(operator);
    if (found) {
      if (!isCommand(words)) return undefined;
      commands.push(words);
      words = [];
      last = found[0].trim();
      operators.push(last);
      continue;
    }
    const word = takeWord(take, wildcards);
    wordEnd.lastIndex = at;
    if (!word || !wordEnd.test(line)) return undefined;
    words.push(word);
    last = '';
  }
  if (words.length === 0) return commands.length > 0 && last === ';' ? { commands, operators } : undefined;
  return isCommand(words) ? { commands: [...commands, words], operators } : undefined;
}

function takeWord(
  take: (expression: RegExp) => RegExpExecArray | null,
  wildcards: boolean,
): CommandWord | undefined {
  const parts = [''];
  for (let isEmpty = true; ; isEmpty = false) {
    const piece = take(plain) ?? take(singleQuoted) ?? take(doubleQuoted);
    if (piece) parts[parts.length - 1] += piece[1] ?? piece[0];
    else if (wildcards && take(wildcard)) parts.push('');
    else return isEmpty ? undefined : parts;
  }
}

const wildcard = /\*+/y;

/** Not an assignment, and nothing that begins another construct of the shell. */
function isCommand([name]: readonly CommandWord[]): boolean {
  const text = name?.join('*') ?? '';
  return text !== '' && !text.includes('=') && !reserved.has(text);
}
