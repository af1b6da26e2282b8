import { Lexer, walkTokens, type Token, type Tokens } from 'marked';
import { PegboardError } from '../../core/errors.ts';
import { isIntricateMarkdown } from '../../core/foreign/intricate-markdown.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';
import { plural } from '../../core/text/plural.ts';
import type { RunCommand } from './command.ts';

/** Messages that are searched for an answer, or for code. */
const searchedMessages = 40;

/**
 * Copies the last answer as it was written, or the last code block of the conversation, without characters that nobody
 * sees. Throws PEG_USAGE where there is no clipboard, and where there is nothing to copy.
 */
export const copy: RunCommand = async (what, { key, toClipboard }, { conversations }) => {
  if (!toClipboard)
    throw new PegboardError(
      'PEG_USAGE',
      '/copy works at the prompt of a terminal. Here there is no clipboard that it could reach.',
    );
  if (what !== '' && what !== 'code')
    throw new PegboardError('PEG_USAGE', '/copy copies the last answer, and /copy code the last code block.');
  const { id } = await conversations.getOrCreate(key);
  const answers = (await conversations.recent(id, searchedMessages))
    .filter(({ role }) => role === 'assistant')
    .map(({ text }) => visibleText(text).trim())
    .filter((text) => text !== '')
    .toReversed();
  if (what === '') return await copyAnswer(answers[0], toClipboard);
  const code = answers
    .values()
    .map(lastCodeIn)
    .find((block) => block !== undefined);
  if (!code) throw new PegboardError('PEG_USAGE', 'The last answers have no code block.');
  return `Copied the last code block (${plural(code.split('\n').length, 'line')}) ${await toClipboard(code)}.`;
};

async function copyAnswer(
  answer: string | undefined,
  toClipboard: (text: string) => Promise<string>,
): Promise<string> {
  if (answer === undefined)
    throw new PegboardError('PEG_USAGE', 'There is no answer in this conversation yet.');
  return `Copied the last answer (${plural(answer.split('\n').length, 'line')}) ${await toClipboard(answer)}.`;
}

function lastCodeIn(text: string): string | undefined {
  if (isIntricateMarkdown(text)) return undefined;
  let last: string | undefined;
  void walkTokens(new Lexer().lex(text), (token: Token) => {
    if (token.type === 'code') last = (token as Tokens.Code).text;
  });
  return last;
}
