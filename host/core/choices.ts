import type { Choice } from '../api/questions.ts';
import type { JsonSchema } from '../api/result.ts';

/** The button labels of the answers. */
export const choiceLabels: Readonly<Record<Choice, string>> = {
  once: 'Allow once',
  file: 'Allow for this file in this conversation',
  folder: 'Allow for this folder in this conversation',
  conversation: 'Allow in this conversation',
  always: 'Always allow',
};

/** The note of a question whose "always" adds rules for an agent. */
export const ruleNote = (agent: string, rules: readonly string[]): string =>
  `"Always" allows ${agent} by a rule, whatever the other arguments: ${rules.join(', ')}`;

/** Whether "always" adds a rule, as one of the question's notes says. */
export const offersRule = (notes: readonly string[] = []): boolean =>
  notes.some((note) => note.startsWith('"Always" allows '));

/** Whether it is one of the keys of `choiceLabels`. */
export const isChoice = (value: unknown): value is Choice =>
  typeof value === 'string' && Object.hasOwn(choiceLabels, value);

/** The schema of a question with more answers than yes and no. Undefined if there is only one choice. */
export function choicesSchema(choices: readonly Choice[]): JsonSchema | undefined {
  if (choices.length <= 1) return undefined;
  return {
    type: 'object',
    properties: { answer: { type: 'string', title: 'Answer', enum: [...choices], default: 'once' } },
  };
}

/** The choices of a schema that `choicesSchema` made. Undefined for other schemas. */
export function choicesOf(schema: JsonSchema | undefined): readonly Choice[] | undefined {
  const properties = (schema?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const [name, ...others] = Object.keys(properties);
  const values = properties['answer']?.['enum'];
  return name === 'answer' && others.length === 0 && Array.isArray(values) && values.every(isChoice)
    ? values
    : undefined;
}
