import type { Answer, PickedFile, Question } from '../../api/ask.ts';
import type { Choice as Extent } from '../../api/questions.ts';
import type { JsonObject, JsonSchema } from '../../api/result.ts';
import { choicesOf, offersRule } from '../../core/choices.ts';
import { shownQuestion } from '../../core/foreign/shown-question.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { kindOf } from '../../core/question-kind.ts';
import { propertiesOf } from '../values.ts';
import { withLength, withMargin } from './with-margin.ts';
import { askForFiles } from './ask-for-files.ts';
import { choose, type MenuItem } from './choose.ts';
import { fillIn } from './form.ts';
import { showForm, type FormPlace } from './show-form.ts';
import type { Terminal } from './terminal.ts';

/** Shows a question and reads the answer at the terminal. `above`: lines of it that are shown already. */
export async function askInTerminal(question: Question, place: FormPlace, above = 0): Promise<Answer> {
  const head = showQuestion(question, place.terminal, above);
  const { schema = {}, url = '', multiple = false } = question;
  switch (kindOf(question)) {
    case 'notification':
      return { action: 'accept', content: { shown: 'in the terminal' } };
    case 'files':
      return toFilesAnswer(await askForFiles(head, multiple, place));
    case 'url':
      return askToOpen(head, url, place);
    case 'form':
    case 'dialog':
      return askForm(head, schema, place);
    case 'confirm': {
      const choices = choicesOf(schema);
      return choices
        ? await askConfirmation(head, choices, question, place)
        : await askYesOrNo(head, question, place);
    }
  }
}

/** Shows everything but the line that it returns: the answer goes below it. A notification is shown whole. */
function showQuestion(question: Question, { err }: Terminal, above: number): string {
  const { head, said, detail, notes } = shownQuestion(question);
  if (said.length > 0 || question.kind === 'notification') err.line(head);
  const lines = withMargin([...said, ...detail], err);
  for (const line of lines) err.line(line);
  for (const note of notes) err.line(err.style.quiet(note));
  return withLength(head, above + lines.length, err);
}

/** The last choice of every question, which is what Enter alone picks. */
const no = { key: 'n', value: 'no', label: 'No' } as const;
const decline = { ...no, label: 'Decline' };

const doInstead = { key: 'i', value: 'instead', label: 'No, and do this instead …' } as const;

type Answers = Pick<Question, 'labels' | 'takesInstead' | 'notes'>;

/** Dispatch's own question: how far the permission goes, or no. */
async function askConfirmation(
  message: string,
  offered: readonly Extent[],
  { takesInstead, notes }: Answers,
  place: FormPlace,
): Promise<Answer> {
  const isByRule = offersRule(notes);
  const allowing = offered.map((extent) => ({
    ...extents[extent],
    ...(extent === 'always' && isByRule && { hint: 'by the rule above' }),
  }));
  const choices = [...allowing, ...(takesInstead ? [doInstead] : []), no];
  const picked = await choose(message, choices, place);
  return picked === doInstead ? await askWhatInstead(place) : toAnswer(picked, (answer) => ({ answer }));
}

const extents: Readonly<Record<Extent, MenuItem<string>>> = {
  once: { key: 'y', value: 'once', label: 'Yes, this once' },
  file: { key: 'f', value: 'file', label: 'Yes, for this file in this conversation' },
  folder: { key: 'd', value: 'folder', label: 'Yes, for this folder in this conversation' },
  conversation: { key: 'c', value: 'conversation', label: 'Yes, in this conversation' },
  always: { key: 'a', value: 'always', label: 'Always', hint: 'until the tool changes' },
};

async function askYesOrNo(
  message: string,
  { labels, takesInstead }: Answers,
  place: FormPlace,
): Promise<Answer> {
  const yes = { key: 'y', value: 'yes', label: labels?.accept ?? 'Yes' };
  const not = { ...no, label: labels?.decline ?? no.label };
  const picked = await choose<string>(message, [yes, ...(takesInstead ? [doInstead] : []), not], place);
  return picked === doInstead ? await askWhatInstead(place) : toAnswer(picked);
}

/** What the model reads in place of a result. Nothing where the person leaves it empty. */
async function askWhatInstead(place: FormPlace): Promise<Answer> {
  const message = 'What should be done instead?';
  const written = await showForm(place, ({ text }, streams) => text({ ...streams, message }));
  const instead = written?.trim() ?? '';
  return { action: 'decline', ...(instead !== '' && { instead }) };
}

async function askToOpen(message: string, url: string, place: FormPlace): Promise<Answer> {
  const goOn = { key: 'y', value: 'yes', label: 'Go on' };
  const question = `${message}\nOpen ${shownLine(url)} in a browser.`;
  return toAnswer(await choose(question, [goOn, decline], place));
}

async function askForm(message: string, schema: JsonSchema, place: FormPlace): Promise<Answer> {
  const [only, ...others] = Object.entries(propertiesOf(schema));
  const choices = only?.[1]['enum'];
  if (only && others.length === 0 && Array.isArray(choices))
    return askChoice(message, only[0], choices, place);
  const answer = { key: 'y', value: 'answer', label: 'Answer' };
  const wish = toAnswer(await choose(message, [answer, decline], place));
  if (wish.action !== 'accept') return wish;
  const content = await fillIn(schema, {}, place);
  return content ? { action: 'accept', content } : { action: 'cancel' };
}

/** One thing to choose: the choices are the question, and the first nine have digits. */
async function askChoice(
  message: string,
  name: string,
  values: readonly unknown[],
  place: FormPlace,
): Promise<Answer> {
  const choices = values.map((value, at) => ({
    value,
    label: shownLine(String(value)),
    ...(at < 9 && { key: String(at + 1) }),
  }));
  const none = { ...no, label: 'None of these' };
  const picked = await choose<unknown>(message, [...choices, none], place);
  if (picked === none) return { action: 'decline' };
  return picked ? { action: 'accept', content: { [name]: picked.value } } : { action: 'cancel' };
}

function toFilesAnswer(files: readonly PickedFile[] | undefined): Answer {
  if (!files) return { action: 'cancel' };
  return files.length === 0 ? { action: 'decline' } : { action: 'accept', content: { files: [...files] } };
}

function toAnswer(picked: MenuItem<string> | undefined, toContent?: (value: string) => JsonObject): Answer {
  if (!picked) return { action: 'cancel' };
  if (picked.value === no.value) return { action: 'decline' };
  return { action: 'accept', ...(toContent && { content: toContent(picked.value) }) };
}
