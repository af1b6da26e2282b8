import { asSentence, PegboardError } from 'pegboard';
import { decodeAnsiC } from './ansi-c.ts';
import { isCmdLine, splitCmdLine } from './cmd-words.ts';

const refuse = (why: string): never => {
  throw new PegboardError('PEG_USAGE', `The curl command can't be read: ${asSentence(why)}`);
};

/**
 * The words of one command as a shell would split them, or cmd where it is written for that (`^"`). `$NAME` becomes
 * `${NAME}`, which is filled in when the tool runs; nothing is run or expanded here. Throws PEG_USAGE for anything that
 * needs a shell.
 */
export function splitCommand(line: string): readonly string[] {
  if (isCmdLine(line)) {
    const found = splitCmdLine(line);
    return typeof found === 'string' ? refuse(found) : found;
  }
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  const add = (text: string): void => void (word = (word ?? '') + text);
  const rest = (): string => line.slice(at);
  const addLiteral = (text: string): void => {
    if (text.includes('${'))
      refuse('it has a ${ that is no variable of the shell, and that means a variable in a manifest');
    add(text);
  };
  const variable = (): void => {
    const [found, braced, plain] = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(line.slice(at)) ?? [];
    if (found === undefined) {
      if (/^\$[({]/.test(line.slice(at))) refuse('it runs another command or changes a variable ($( or ${)');
      add('$');
      at++;
    } else {
      add(`\${${braced ?? plain}}`);
      at += found.length;
    }
  };
  const until = (end: RegExp): string => {
    const rest = line.slice(at);
    const found = end.exec(rest);
    if (!found) return refuse('a quote is not closed');
    at += found[0].length;
    return found[1]!;
  };
  const doubleQuoted = (): void => {
    add('');
    for (at++; line[at] !== '"';) {
      const character = line[at] ?? refuse('a quote is not closed');
      if (character === '`') refuse('it runs another command (`)');
      if (character === '$') variable();
      else if (character === '\\' && /["\\$`\n]/.test(line[at + 1] ?? '')) {
        if (line[at + 1] !== '\n') add(line[at + 1]!);
        at += 2;
      } else {
        add(character);
        at++;
      }
    }
    at++;
  };

  while (at < line.length) {
    const character = line[at]!;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
    } else if (/^\\\r?\n/.test(line.slice(at))) at += line[at + 1] === '\r' ? 3 : 2;
    else if (character === '\\') {
      addLiteral(line[at + 1] ?? '');
      at += 2;
    } else if (character === "'") addLiteral(until(/^'([^']*)'/));
    else if (line.startsWith("$'", at)) {
      const text = decodeAnsiC(until(/^\$'((?:[^'\\]|\\.)*)'/s));
      addLiteral(text ?? refuse("it has bytes in $'…' that are not UTF-8"));
    } else if (line.startsWith('$"', at)) at++;
    else if (character === '"') doubleQuoted();
    else if (character === '$') variable();
    else if (/[|;&<>`()]/.test(character))
      refuse(`it has a ${character} outside of quotes, and only a single curl command can be imported`);
    else if (
      /^\{(?!\{)[^\s{}]*(?:,|\.\.)[^\s{}]*\}|^~/.test(word === undefined ? rest() : rest().replace(/^~/, ''))
    )
      refuse('it has {…} or ~ outside of quotes, which a shell replaces');
    else if (character === '#' && word === undefined) refuse('it has a comment');
    else {
      add(character);
      at++;
    }
  }
  return word === undefined ? words : [...words, word];
}
