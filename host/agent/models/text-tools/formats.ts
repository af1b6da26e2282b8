import type { CallFormat } from './format.ts';
import { apertus } from './formats/apertus.ts';
import { bareJson } from './formats/bare-json.ts';
import { deepseek } from './formats/deepseek.ts';
import { fenced } from './formats/fenced.ts';
import { functionTag } from './formats/function-tag.ts';
import { functionary, functionaryArrow, namedJson } from './formats/functionary.ts';
import { gemma } from './formats/gemma.ts';
import { harmony, harmonyStripped } from './formats/harmony.ts';
import { invokeTag } from './formats/invoke-tag.ts';
import { kimi } from './formats/kimi.ts';
import { mistral } from './formats/mistral.ts';
import { namedElement } from './formats/named-element.ts';
import { pythonLine, pythonList } from './formats/python-list.ts';
import { pythonTag } from './formats/python-tag.ts';
import { actionList, react } from './formats/react.ts';
import { qwenTokens, solarTokens, unknownTokens } from './formats/token-fields.ts';
import { toolCallTag } from './formats/tool-call-tag.ts';
import { toolTag } from './formats/tool-tag.ts';

/** All supported formats, in the order in which they are tried. */
export const formats: readonly CallFormat[] = [
  // Last, because its marks are prefixes of other formats' tags.
  solarTokens,
  toolCallTag,
  functionTag,
  invokeTag,
  mistral,
  pythonTag,
  deepseek,
  kimi,
  harmony,
  harmonyStripped,
  gemma,
  apertus,
  functionary,
  qwenTokens,
  functionaryArrow,
  toolTag,
  namedElement,
  fenced,
  actionList,
  react,
  bareJson,
  pythonList,
  pythonLine,
  namedJson,
  unknownTokens,
];
