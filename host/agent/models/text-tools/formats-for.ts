import type { ModelMessage } from '../../../api/model.ts';
import { isJsonAskedFor } from './asked-for-json.ts';
import type { CallFormat } from './format.ts';
import { formats } from './formats.ts';
import { bareJson } from './formats/bare-json.ts';
import { fenced } from './formats/fenced.ts';

/** JSON in a reply is no call when the user asked for JSON. */
export const formatsFor = (messages: readonly ModelMessage[]): readonly CallFormat[] =>
  isJsonAskedFor(messages) ? formats.filter((format) => format !== bareJson && format !== fenced) : formats;
