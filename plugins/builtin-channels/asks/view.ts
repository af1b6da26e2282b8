import type { Button, ChannelDriver, Question, QuestionBlock, SendOptions, StyledMessage } from 'pegboard';
import { margin, shownLine, shownQuestion } from 'pegboard/kit';
import { questionInMarkdown } from './markdown-question.ts';
import type { ButtonChoice, Step } from './steps.ts';

const defaultMaxTextLength = 4_000;
/** The rest is room for what makes text safe in Markdown. */
const partForText = 0.85;
/** Maximum characters of the parts of a question in its message. */
function limitsOf({
  maxTextLength = defaultMaxTextLength,
  showsMarkdown = false,
}: Pick<ChannelDriver, 'maxTextLength' | 'showsMarkdown'>) {
  const length = showsMarkdown ? maxTextLength * partForText : maxTextLength;
  return { message: length * 0.2, detail: length * 0.75, note: 300, url: length * 0.25 };
}

/**
 * The question as blocks. Text written by others has its own blocks and is shown verbatim, so that none of its lines can
 * pass for part of the question. Detail that is too long is sent as a file before it.
 */
export function blocksOf(
  question: Question,
  { label, url, choices }: Step,
  driver: Pick<ChannelDriver, 'hasButtons' | 'maxTextLength' | 'showsMarkdown'>,
): readonly QuestionBlock[] {
  const { head, said, detail, notes } = shownQuestion(question);
  const limits = limitsOf(driver);
  const blocks: readonly QuestionBlock[] = [
    { kind: 'line', text: cut(head, limits.message) },
    { kind: 'quote', text: cut(said.join('\n'), limits.message) },
    { kind: 'code', text: cut(detail.join('\n'), limits.detail, '\n… the rest is in the file above') },
    { kind: 'line', text: notes.map((note) => cut(note, limits.note)).join('\n') },
    { kind: 'label', text: label === undefined ? '' : cut(shownLine(label), limits.note) },
    { kind: 'line', text: url === undefined ? '' : cut(shownLine(url), limits.url) },
    { kind: 'line', text: choices && !driver.hasButtons ? howToAnswer(choices) : '' },
  ];
  const shown = blocks.filter(({ text }) => text !== '');
  return shown.length > 0 ? shown : [{ kind: 'line', text: '?' }];
}

/** For channels without buttons. */
export const howToAnswer = (choices: readonly ButtonChoice[]): string =>
  `Write one of: ${choices.map(({ label }) => label).join(', ')}.`;

export type RendersQuestions = Pick<ChannelDriver, 'renderQuestion' | 'showsMarkdown' | 'maxTextLength'>;

/** Blocks as the service shows them. */
export function shownBlocks(blocks: readonly QuestionBlock[], driver: RendersQuestions): StyledMessage {
  const { showsMarkdown = false, maxTextLength = defaultMaxTextLength } = driver;
  if (driver.renderQuestion) return driver.renderQuestion(blocks);
  if (showsMarkdown) return { text: questionInMarkdown(blocks, maxTextLength) };
  return { text: blocks.map(plainBlock).join('\n\n') };
}

const plainBlock = ({ kind, text }: QuestionBlock): string =>
  kind === 'quote' || kind === 'code' ? text.replaceAll(/^/gm, margin) : text;

/** The question with its outcome and who decided. */
export const withOutcome = (blocks: readonly QuestionBlock[], outcome: string): readonly QuestionBlock[] => [
  ...blocks,
  { kind: 'line', text: shownLine(outcome) },
];

/** The detail of a question as a file, when it is too long for the message. */
export function detailFile(
  question: Question,
  driver: Pick<ChannelDriver, 'maxTextLength' | 'showsMarkdown'>,
): string | undefined {
  const text = shownQuestion(question).detail.join('\n');
  return text.length > limitsOf(driver).detail ? text : undefined;
}

const cut = (text: string, longest: number, rest = '…'): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}${rest}`;

/** The buttons, link and reply prompt of a question. */
export function optionsOf(token: string, { choices, url }: Step): SendOptions {
  if (!choices) return { awaitsText: true };
  const buttons = choices.map(({ label }, index): Button => ({
    label: label || ' ',
    data: toData(token, index),
  }));
  return { buttons, ...(url !== undefined && /^https?:/.test(url) && { link: url }) };
}

/** 22 characters for the token and two for the choice: 24 bytes. */
export const toData = (token: string, choice: number): string => `${token}${String(choice).padStart(2, '0')}`;

export function fromData(data: string): { readonly token: string; readonly choice: number } | undefined {
  const [, token, choice] = /^([\w-]{22})(\d\d)$/.exec(data) ?? [];
  return token === undefined ? undefined : { token, choice: Number(choice) };
}
