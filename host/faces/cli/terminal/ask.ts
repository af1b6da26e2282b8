import type { Answer, AnsweredInstead, Ask, Question } from '../../../api/ask.ts';
import type { Choice } from '../../../api/questions.ts';
import type { JsonSchema } from '../../../api/result.ts';
import { AnsweredElsewhere } from '../../../core/answered-elsewhere.ts';
import { choicesOf } from '../../../core/choices.ts';
import { spelledOut } from '../../../core/foreign/spelled-out.ts';
import { propertiesOf } from '../values.ts';
import { fillIn, type FormPlace } from './form.ts';
import type { Waiting } from './progress.ts';
import { oneLine } from './safe.ts';
import type { Terminal } from './terminal.ts';

/** Asks the person at the terminal, on stderr. Undefined where nobody is there: then confirmations are declined. */
export function createAsk(terminal: Terminal, waiting?: Waiting): Ask | undefined {
  if (!terminal.interactive) return undefined;
  const askHere: Ask = (question, signal) => {
    const place: FormPlace = { output: terminal.err.stream, signal };
    showDetail(question, terminal);
    if (question.url !== undefined) return askToOpen(question, question.url, place);
    if (question.schema === undefined) return askYesOrNo(question, place);
    const choices = choicesOf(question.schema);
    return choices ? askConfirmation(question, choices, place) : askForm(question, question.schema, place);
  };
  const ask: Ask = async (question, signal) => {
    const { err } = terminal;
    const tell = ({ message }: AnsweredInstead): void => err.line(err.style.warning(`${oneLine(message)}.`));
    const answer = await askHere(question, signal);
    if (signal.reason instanceof AnsweredElsewhere) tell(signal.reason);
    return { ...answer, onLost: tell };
  };
  return waiting ? (question, signal) => waiting.hiddenFor(() => ask(question, signal)) : ask;
}

function showDetail({ detail }: Question, { err }: Terminal): void {
  if (detail === undefined) return;
  for (const line of spelledOut(detail).split('\n'))
    err.line(`${err.style.quiet('┃')} ${err.style.title(line)}`);
}

/** Dispatch's own question: how far it may go, or not at all. */
async function askConfirmation(
  { message }: Question,
  choices: readonly Choice[],
  place: FormPlace,
): Promise<Answer> {
  const { select, isCancel } = await import('@clack/prompts');
  const answer = await select({
    ...place,
    message: oneLine(message),
    options: [
      ...choices.map((value) => ({ value: value as Choice | 'no', label: labels[value] })),
      { value: 'no', label: 'No' },
    ],
  });
  if (isCancel(answer)) return { action: 'cancel' };
  return answer === 'no' ? { action: 'decline' } : { action: 'accept', content: { answer } };
}

const labels: Readonly<Record<Choice, string>> = {
  once: 'Yes, this once',
  file: 'Yes, for this file in this conversation',
  folder: 'Yes, for this folder in this conversation',
  conversation: 'Yes, in this conversation',
  always: 'Always, until the tool changes',
};

async function askYesOrNo({ message }: Question, place: FormPlace): Promise<Answer> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ ...place, message: oneLine(message), initialValue: false });
  if (isCancel(answer)) return { action: 'cancel' };
  return { action: answer ? 'accept' : 'decline' };
}

async function askToOpen({ message }: Question, url: string, place: FormPlace): Promise<Answer> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    ...place,
    message: `${oneLine(message)}\nOpen ${spelledOut(url)} in a browser.`,
    active: 'Go on',
    inactive: 'Decline',
  });
  if (isCancel(answer)) return { action: 'cancel' };
  return { action: answer ? 'accept' : 'decline' };
}

async function askForm({ message }: Question, schema: JsonSchema, place: FormPlace): Promise<Answer> {
  const [only, ...others] = Object.entries(propertiesOf(schema));
  const choices = only?.[1]['enum'];
  if (only && others.length === 0 && Array.isArray(choices))
    return askChoice(message, only[0], choices, place);
  const { select, isCancel } = await import('@clack/prompts');
  const wish = await select({
    ...place,
    message: oneLine(message),
    options: [
      { value: 'answer', label: 'Answer' },
      { value: 'decline', label: 'Decline' },
    ],
  });
  if (isCancel(wish)) return { action: 'cancel' };
  if (wish === 'decline') return { action: 'decline' };
  const content = await fillIn(schema, {}, place);
  return content ? { action: 'accept', content } : { action: 'cancel' };
}

/** One thing to choose: the choices are the question. */
async function askChoice(
  message: string,
  name: string,
  choices: readonly unknown[],
  place: FormPlace,
): Promise<Answer> {
  const { select, isCancel } = await import('@clack/prompts');
  const picked = await select({
    ...place,
    message: oneLine(message),
    options: [
      ...choices.map((choice, at) => ({ value: at, label: oneLine(String(choice)) })),
      { value: choices.length, label: 'None of these' },
    ],
  });
  if (isCancel(picked)) return { action: 'cancel' };
  return picked === choices.length
    ? { action: 'decline' }
    : { action: 'accept', content: { [name]: choices[picked] } };
}
