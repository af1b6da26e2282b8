import { pegboard } from '../../core/own-command.ts';
import { describeDecision } from '../../core/answered-elsewhere.ts';
import type { Choice } from '../../api/questions.ts';
import { choiceLabels, isChoice } from '../../core/choices.ts';
import { PegboardError } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { usageError } from '../parse.ts';

/** Answers a pending question for `approvals allow` and `approvals deny`, wherever it was asked. */
export async function answerQuestion(host: Host, id: number, context: Context): Promise<void> {
  const { terminal, options, command } = context;
  const decision = command.name === 'approvals deny' ? 'no' : choiceIn(context);
  const answered = await host.questions.answer(id, { decision, by: 'pegboard approvals' });
  if (!answered)
    throw new PegboardError(
      'PEG_USAGE',
      `There is no question ${id}. \`${pegboard} approvals list\` shows those that are waiting.`,
    );
  const { question, counts, decided } = answered;
  if (!counts) throw new PegboardError('PEG_DENIED', `Question ${id} (${question.tool}) ${whyNot(decided)}`);
  if (options.flag('json')) return terminal.json({ id, tool: question.tool, decision });
  terminal.out.line(`Question ${id}: ${question.tool} ${outcomes[decision]}.`);
}

const outcomes: Readonly<Record<Choice | 'no', string>> = {
  once: 'may run',
  file: 'may run, and use this file for the rest of the conversation',
  folder: 'may run, and use this folder for the rest of the conversation',
  conversation: 'may run for the rest of the conversation',
  always: 'runs from now on without asking',
  no: 'will not run',
};

function choiceIn({ options, command }: Context): Choice {
  if (options.flag('always')) return 'always';
  const extent = options.value('for') ?? 'once';
  if (isChoice(extent)) return extent;
  throw usageError(command, `--for takes ${Object.keys(choiceLabels).join(', ')}, not "${extent}".`);
}

function whyNot(
  decided: (Parameters<typeof describeDecision>[0] & { readonly at: string }) | undefined,
): string {
  if (!decided) return 'is closed: it expired, or the process that asked has ended. Nothing was run.';
  return `was answered already: ${describeDecision(decided)}, ${new Date(decided.at).toLocaleTimeString('en-GB')}.`;
}
