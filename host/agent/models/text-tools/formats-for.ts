import type { ModelMessage } from '../../../api/model.ts';
import { isJsonAskedFor } from './asked-for-json.ts';
import type { CallFormat } from './format.ts';
import { formats } from './formats.ts';
import { bareJson } from './formats/bare-json.ts';
import { fenced } from './formats/fenced.ts';

/** What JSON in an answer is depends on what was asked for. */
export const formatsFor = (messages: readonly ModelMessage[]): readonly CallFormat[] =>
  isJsonAskedFor(messages) ? formats.filter((format) => format !== bareJson && format !== fenced) : formats;
