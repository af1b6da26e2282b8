import { describeDecision } from '../../../../core/answered-elsewhere.ts';
import { PegboardError } from '../../../../core/errors.ts';
import type { Run } from '../../command.ts';
import { usageError } from '../../parse.ts';

/** `approvals allow` and `approvals deny`. */
export const run: Run = async (context) => {
  const { terminal, options, words, command } = context;
  const [word = ''] = words;
  const id = /^\d{1,15}$/.test(word) ? Number(word) : undefined;
  if (id === undefined)
    throw usageError(command, 'Which question? `pegboard approvals list` has their numbers.');
  const always = command.name === 'approvals allow' && options.flag('always');
  const host = await context.openHost({ mcp: 'off' });
  if (always) await checkStorable(id);
  const decision = command.name === 'approvals deny' ? 'no' : always ? 'always' : 'once';
  const answered = await host.questions.answer(id, { decision, by: 'pegboard approvals' });
  if (!answered)
    throw new PegboardError(
      'PEG_USAGE',
      `There is no question ${id}. \`pegboard approvals list\` has those that wait.`,
    );
  const { question, counts, decided } = answered;
  if (!counts) throw new PegboardError('PEG_DENIED', `Question ${id} (${question.tool}) ${whyNot(decided)}`);
  if (options.flag('json')) return terminal.json({ id, tool: question.tool, decision });
  const outcome = decision === 'no' ? 'will not run' : always ? 'runs from now on without asking' : 'may run';
  terminal.out.line(`Question ${id}: ${question.tool} ${outcome}.`);

  async function checkStorable(number: number): Promise<void> {
    const question = (await host.questions.list()).find((one) => one.id === number);
    if (question && !question.mayBeStored) {
      throw new PegboardError(
        'PEG_USAGE',
        `${question.tool} can't be allowed for always: it is asked about because of this very call.`,
      );
    }
  }
};

function whyNot(
  decided: (Parameters<typeof describeDecision>[0] & { readonly at: string }) | undefined,
): string {
  if (!decided) return 'is over: its time was up, or whoever asked is gone. Nothing was run for it.';
  return `was answered already: ${describeDecision(decided)}, ${new Date(decided.at).toLocaleTimeString('en-GB')}.`;
}
