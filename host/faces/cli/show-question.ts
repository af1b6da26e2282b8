import type { OpenQuestion } from '../../api/questions.ts';
import { spelledOut } from '../../core/foreign/spelled-out.ts';
import { oneLine } from './terminal/safe.ts';
import type { Surface } from './terminal/terminal.ts';

/** A confirmation that waits elsewhere: what would run, who asks, and how it is answered from here. */
export function showQuestion(
  { id, message, detail, asker, agent, expiresAt }: OpenQuestion,
  { style }: Pick<Surface, 'style'>,
): readonly string[] {
  const who = agent === undefined ? asker : `${asker}, ${agent}`;
  const until = new Date(expiresAt).toLocaleTimeString('en-GB');
  return [
    `${style.title(`Question ${id}`)}  ${oneLine(message)}`,
    ...spelledOut(detail)
      .split('\n')
      .map((line) => `${style.quiet('┃')} ${style.title(line)}`),
    style.quiet(`asked by ${oneLine(who)}, until ${until}`),
    `pegboard approvals allow ${id}  |  pegboard approvals deny ${id}`,
    '',
  ];
}
