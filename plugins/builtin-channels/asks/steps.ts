import { type Answer, type JsonObject, memberJson, mergeWritten, parseMember, type Question } from 'pegboard';
import { choiceLabels, isChoice, shownLine } from 'pegboard/kit';

/** Files that an answer may have. */
const maxFiles = 20;

/** One of the buttons under a question. */
export interface ButtonChoice {
  readonly label: string;
  readonly value: StepAnswer;
}

/** The answer that a button or a text represents. */
export type StepAnswer =
  | { readonly action: 'accept'; readonly value?: unknown }
  | { readonly action: 'decline'; readonly instead?: string }
  /** Leaves the field empty. */
  | { readonly action: 'skip' };

/** A question that one message can ask. */
export interface Step {
  /** The property of the form that it fills; absent: the answer is only yes or no. */
  readonly name?: string;
  /** Shown in addition to the question: the title of the field. */
  readonly label?: string;
  /** Absent: the answer is a text. */
  readonly choices?: readonly ButtonChoice[];
  /** Parses a text as an answer. Throws with a message for the user when it doesn't fit. */
  readonly read: (text: string) => StepAnswer;
  readonly url?: string;
  /** A message with files answers it, at most so many. */
  readonly takesFiles?: number;
  /** A reply that is none of the choices declines, and says what to do instead. */
  readonly takesInstead?: boolean;
}

/** What a step is made of again on another host, or after a restart. */
export interface AskedStep {
  readonly question: Pick<Question, 'kind' | 'schema' | 'url' | 'labels' | 'multiple' | 'takesInstead'>;
  readonly index: number;
}

/** The steps in which a question is asked, in order. */
export function stepsOf({
  kind,
  schema,
  url,
  labels,
  multiple = false,
  takesInstead = false,
}: AskedStep['question']): readonly Step[] {
  if (kind === 'files')
    return [
      {
        name: 'files',
        label: multiple ? 'Send the files here, in one message.' : 'Send the file here.',
        takesFiles: multiple ? maxFiles : 1,
        ...withChoices([{ label: 'Decline', value: { action: 'decline' } }]),
      },
    ];
  if (url !== undefined) return [{ ...yesOrNo('Done', 'Decline'), url }];
  if (!schema) return [{ ...yesOrNo(labels?.accept ?? 'Yes', labels?.decline ?? 'No'), takesInstead }];
  const properties = Object.entries((schema['properties'] ?? {}) as { [name: string]: JsonObject });
  if (properties.length === 0) return [yesOrNo('Yes', 'No')];
  const required = (schema['required'] ?? []) as readonly string[];
  const alone = properties.length === 1;
  return properties.map(([name, property]) => ({
    ...toStep(name, property, { optional: !alone && !required.includes(name), labelled: !alone }),
    takesInstead,
  }));
}

/** Merges the answers of all steps into one. */
export function toAnswer(steps: readonly Step[], answers: readonly StepAnswer[]): Answer {
  const declined = answers.find((answer) => answer.action === 'decline');
  if (declined) {
    const { instead } = declined;
    return { action: 'decline', ...(instead !== undefined && { instead }) };
  }
  const content = answers.reduce<JsonObject>((soFar, answer, index) => {
    const { name } = steps[index]!;
    const json = memberJson(answer, 'value');
    return name === undefined || json === undefined ? soFar : mergeWritten(soFar, parseMember(name, json));
  }, {});
  return { action: 'accept', content };
}

function yesOrNo(yes: string, no: string): Step {
  return withChoices([
    { label: yes, value: { action: 'accept' } },
    { label: no, value: { action: 'decline' } },
  ]);
}

function toStep(
  name: string,
  property: JsonObject,
  { optional, labelled }: { readonly optional: boolean; readonly labelled: boolean },
): Step {
  const title = typeof property['title'] === 'string' ? property['title'] : name;
  const described =
    typeof property['description'] === 'string' ? `${title}: ${property['description']}` : title;
  const common = { name, ...(labelled && { label: described }) };
  const last: ButtonChoice[] = [
    ...(optional ? [{ label: 'Skip', value: { action: 'skip' } as const }] : []),
    { label: 'Decline', value: { action: 'decline' } },
  ];
  const values = property['enum'] as readonly unknown[] | undefined;
  if (values) {
    // Approvals of calls have their own labels.
    const isApproval = name === 'answer' && values.every(isChoice);
    const choices = values.map((value, at): ButtonChoice => {
      const json = memberJson(values, at) ?? 'null';
      const text = typeof value === 'string' ? value : json;
      const label = isApproval ? choiceLabels[value as keyof typeof choiceLabels] : shownLine(text);
      return { label, value: acceptJson(json) };
    });
    return { ...common, ...withChoices([...choices, ...last]) };
  }
  if (property['type'] === 'boolean') {
    const choices: ButtonChoice[] = [
      { label: 'Yes', value: { action: 'accept', value: true } },
      { label: 'No', value: { action: 'accept', value: false } },
    ];
    return { ...common, ...withChoices([...choices, ...last]) };
  }
  return { ...common, read: (text) => readText(text, property['type'], optional) };
}

/** A step that a button answers, or a text with its label. */
function withChoices(
  choices: readonly ButtonChoice[],
): Pick<Step, 'choices' | 'read'> & { choices: readonly ButtonChoice[] } {
  return {
    choices,
    read(text) {
      const found = choices.find(({ label }) => label.toLowerCase() === text.trim().toLowerCase());
      if (!found)
        throw new Error(
          `Press one of the buttons, or write one of: ${choices.map((one) => one.label).join(', ')}.`,
        );
      return found.value;
    },
  };
}

function readText(text: string, type: unknown, optional: boolean): StepAnswer {
  if (optional && /^\/skip\b/i.test(text)) return { action: 'skip' };
  if (/^\/cancel\b/i.test(text)) return { action: 'decline' };
  if (type !== 'number' && type !== 'integer') return { action: 'accept', value: text };
  const written = text.trim().replace(',', '.');
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written)) throw new Error('Write a number.');
  if (type === 'integer' && !/^-?\d+$/.test(written)) throw new Error('Write a whole number.');
  return acceptJson(written);
}

/** A number with all its digits. */
const acceptJson = (json: string): StepAnswer =>
  mergeWritten({ action: 'accept' } as const, parseMember('value', json));
