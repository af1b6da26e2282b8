import type { ShellToken, Token } from 'curlconverter/dist/src/shell/Word.js';
import { Word } from 'curlconverter/dist/src/shell/Word.js';
import { asSentence, PegboardError } from 'pegboard';
import { type Command, parse, type Word as BashWord, type WordPart } from 'unbash';
import { isCmdLine, splitCmdLine } from './cmd-words.ts';

const refuse = (why: string): never => {
  throw new PegboardError('PEG_USAGE', `The curl command can't be read: ${asSentence(why)}`);
};

/**
 * The words of one command as bash would split them, or cmd where it is written for that (`^"`). `$NAME` and `{{name}}`
 * are tokens whose text is `${NAME}` and `{{name}}`; nothing is run or expanded here. Throws PEG_USAGE for anything that
 * needs a shell.
 */
export function splitCommand(line: string): readonly Word[] {
  if (isCmdLine(line)) {
    const found = splitCmdLine(line);
    return typeof found === 'string' ? refuse(found) : found.map((text) => wordOf([text]));
  }
  const text = line.replaceAll('\\\r\n', '\\\n').trim();
  const { commands, errors = [] } = parse(text);
  for (const { message } of errors) refuse(message.includes('quote') ? 'a quote is not closed' : message);
  const whole = commands[0]?.command;
  const first = whole?.type === 'Pipeline' ? whole.commands[0] : whole;
  const command = first?.type === 'Command' && first.prefix.length === 0 ? first : undefined;
  const more = text.slice(command ? endOf(command) : 0).trim();
  if (more !== '')
    refuse(
      `it has ${/^[|;&<>()#]/.test(more) ? `a ${more[0]} outside of quotes` : `"${more.slice(0, 40)}" besides`}, and only a single curl command can be imported`,
    );
  return command?.name === undefined ? [] : [command.name, ...command.args].map(fromBash);
}

/** The words of a command that a shell has split already. */
export const givenWord = (text: string): Word => wordOf(text.split(/(\$\{\w+\})/).map(orToken));

/** A word as text, in which `${NAME}` is a variable. */
export const textOf = (word: Word): string =>
  word.tokens
    .map((token) => {
      if (typeof token !== 'string') return token.text;
      return token.includes('${')
        ? refuse('it has a ${ that is no variable of the shell, and that means a variable in a manifest')
        : token;
    })
    .join('');

/** Merges texts that follow each other, as a `{{name}}` may be quoted in parts. */
const wordOf = (tokens: Token[]): Word =>
  new Word(
    new Word(tokens).tokens.flatMap((token) =>
      typeof token === 'string' ? token.split(/(\{\{.*?\}\})/).map(orToken) : [token],
    ),
  );

/** Every other piece of a text that was split by a pattern is what the pattern found. */
const orToken = (text: string, index: number): Token => (index % 2 === 1 ? tokenOf(text) : text);

/** `syntaxNode`: where curlconverter says in its own messages that it is, of which only the first line is shown. */
const tokenOf = (text: string): ShellToken => ({
  type: 'variable',
  value: text,
  text,
  syntaxNode: { startIndex: 0, endIndex: 0, tree: { rootNode: { text: '', startIndex: 0 } } },
});

const endOf = ({ redirects: [redirect], end }: Command): number => redirect?.pos ?? end;

function fromBash(argument: BashWord | Command['args'][number]): Word {
  if (argument.type !== 'Word') return refuse('it sets a variable of the shell');
  if (argument.text.startsWith('~')) refuse('it has {…} or ~ outside of quotes, which a shell replaces');
  return wordOf(argument.parts?.flatMap(tokensOf) ?? [argument.value]);
}

function tokensOf(part: WordPart): Token[] {
  switch (part.type) {
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap(tokensOf);
    case 'AnsiCQuoted':
      return part.value.includes('\ufffd') ? refuse("it has bytes in $'…' that are not UTF-8") : [part.value];
    case 'Literal':
    case 'SingleQuoted':
      return [part.value];
    // It finds no file, and stays as it is.
    case 'Glob':
      return part.kind === 'bracket' ? ['[', ...part.parts.flatMap(tokensOf), ']'] : [part.value];
    case 'BraceExpansion':
      return refuse('it has {…} or ~ outside of quotes, which a shell replaces');
    default: {
      const [, name] = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(part.text) ?? [];
      return name === undefined
        ? refuse('it runs another command or changes a variable ($( or ${)')
        : [tokenOf(`\${${name}}`)];
    }
  }
}
