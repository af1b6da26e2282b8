import type { Question, QuestionKind } from '../api/ask.ts';
import { choicesOf } from './choices.ts';

/** What a question asks for. */
export function kindOf({ kind, url, schema }: Question): QuestionKind {
  if (kind !== undefined) return kind;
  if (url !== undefined) return 'url';
  return schema === undefined || choicesOf(schema) ? 'confirm' : 'form';
}
