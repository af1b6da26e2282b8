import { pegboard } from '../../core/own-command.ts';
import type { OpenQuestion } from '../../api/questions.ts';
import { shownQuestion } from '../../core/foreign/shown-question.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { withMargin } from '../terminal/with-margin.ts';
import type { Surface } from '../terminal/terminal.ts';

/** A question that waits in any process: what would run or is asked for, who asks, and how to answer it from here. */
export function showQuestion(
  question: OpenQuestion,
  surface: Pick<Surface, 'style' | 'width'>,
): readonly string[] {
  const { style } = surface;
  const { id, asker, agent, expiresAt } = question;
  const who = agent === undefined ? asker : `${asker}, ${agent}`;
  const until = new Date(expiresAt).toLocaleTimeString('en-GB');
  const { head, said, detail, notes } = shownQuestion(question);
  return [
    `${style.title(`Question ${id}`)}  ${head}`,
    ...withMargin([...said, ...detail], surface),
    ...(question.url === undefined ? [] : [shownLine(question.url)]),
    ...notes.map(style.quiet),
    style.quiet(`asked by ${shownLine(who)}, until ${until}`),
    `${pegboard} approvals allow ${id}  |  ${pegboard} approvals deny ${id}`,
    '',
  ];
}
