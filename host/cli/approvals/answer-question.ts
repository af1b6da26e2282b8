import { pegboard } from '../../core/own-command.ts';
import { describeDecision } from '../../core/answered-elsewhere.ts';
import type { Choice, Decided, Decision } from '../../api/questions.ts';
import { choiceLabels, isChoice, offersRule } from '../../core/choices.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { createAsk } from '../terminal/ask.ts';
import { usageError } from '../parse.ts';

/** Answers a pending question for `approvals allow` and `approvals deny`, wherever it was asked. */
export async function answerQuestion(host: Host, id: number, context: Context): Promise<void> {
  const { terminal, options } = context;
  const said = await decisionOn(id, host, context);
  const { decision } = said;
  const answered = await host.questions.answer(id, { ...said, by: 'pegboard approvals' });
  if (!answered)
    throw new PegboardError(
      'PEG_USAGE',
      `There is no question ${id}. \`${pegboard} approvals list\` shows those that are waiting.`,
    );
  const { question, counts, decided } = answered;
  if (!counts) throw new PegboardError('PEG_DENIED', `Question ${id} (${question.tool}) ${whyNot(decided)}`);
  if (options.flag('json')) return terminal.json({ id, tool: question.tool, decision });
  const isByRule = decision === 'always' && offersRule(question.notes);
  const outcome = isByRule ? 'may run, and a rule allows the same from now on' : outcomes[decision];
  terminal.out.line(`Question ${id}: ${question.tool} ${outcome}.`);
}

type Said = Pick<Decided, 'content'> & { readonly decision: Exclude<Decision, 'ended'> };

/** What is said to the question. One that is no confirmation is asked at the terminal. */
async function decisionOn(id: number, host: Host, context: Context): Promise<Said> {
  if (context.command.name === 'approvals deny') {
    const instead = context.options.value('instead');
    return { decision: 'no', ...(instead !== undefined && { content: { instead } }) };
  }
  const question = (await host.questions.list()).find((open) => open.id === id);
  if (!question || question.choices.length > 0) return { decision: choiceIn(context, question?.choices) };
  const ask = createAsk(context.terminal);
  if (!ask)
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      `Question ${id} (${question.tool}) wants an answer, not a permission. Give it at a terminal, or on the page that \`${pegboard} dashboard\` opens.`,
    );
  const answer = await ask(question, context.signal);
  if (answer.action === 'cancel') throw new PegboardError('PEG_CANCELLED', `Question ${id} is still open.`);
  if (answer.action === 'decline') return { decision: 'no' };
  return { decision: 'answered', ...(answer.content && { content: answer.content }) };
}

const outcomes: Readonly<Record<Said['decision'], string>> = {
  once: 'may run',
  file: 'may run, and use this file for the rest of the conversation',
  folder: 'may run, and use this folder for the rest of the conversation',
  conversation: 'may run for the rest of the conversation',
  always: 'runs from now on without asking',
  answered: 'has its answer',
  no: 'was declined',
};

/** Where there is only one way to allow it, that one is meant. */
function choiceIn({ options, command }: Context, [only, another]: readonly Choice[] = []): Choice {
  if (options.flag('always')) return 'always';
  const extent = options.value('for') ?? (another === undefined ? only : undefined) ?? 'once';
  if (isChoice(extent)) return extent;
  throw usageError(command, `--for takes ${Object.keys(choiceLabels).join(', ')}, not "${extent}".`);
}

function whyNot(
  decided: (Parameters<typeof describeDecision>[0] & { readonly at: string }) | undefined,
): string {
  if (!decided) return 'is closed: it expired, or the process that asked has ended. Nothing was run.';
  return `was answered already: ${describeDecision(decided)}, ${new Date(decided.at).toLocaleTimeString('en-GB')}.`;
}
