import type { Model, ModelReply } from '../../api/model.ts';
import { PegboardError } from '../../core/errors.ts';
import { toModelError, type ModelFailureData } from './failure.ts';
import { wrapModel } from './wrap-model.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/**
 * A model that a plugin opened. Throws PEG_MODEL_REFUSED for one that can't be asked, and when it is asked, for a reply that
 * is not a ModelReply: asking again would not help.
 */
export function checkModel(model: Model, id: string): Model {
  const opened = model as Partial<Model> | null | undefined;
  if (typeof opened?.respond !== 'function')
    throw wrong(id, '"open" must return a model with a function "respond"');
  if (!(Number(opened.contextWindow) > 0)) throw wrong(id, 'its contextWindow must be a number above 0');
  return wrapModel(model, async (request, onEvent) => {
    let reply: ModelReply;
    try {
      reply = await model.respond(request, onEvent);
    } catch (thrown) {
      if (request.signal.aborted || thrown instanceof PegboardError) throw thrown;
      throw toModelError(thrown, id);
    }
    const problem = problemOf(reply);
    if (problem !== undefined) throw wrong(id, `"respond" returned ${problem}`);
    return reply;
  });
}

function wrong(id: string, problem: string): PegboardError {
  const data: ModelFailureData = { model: id };
  return new PegboardError(
    'PEG_MODEL_REFUSED',
    `The plugin that provides the model ${id} has a mistake: ${asSentence(problem)}`,
    { data },
  );
}

function problemOf(reply: unknown): string | undefined {
  if (!isObject(reply)) return 'no reply';
  const { text, toolCalls, usage, model, finish } = reply;
  if (typeof text !== 'string') return 'a reply whose text is not a string';
  if (typeof model !== 'string') return 'a reply whose model is not a string';
  if (!['stop', 'tool_calls', 'length', 'filtered'].includes(String(finish)))
    return 'a reply whose finish is not stop, tool_calls, length or filtered';
  if (!isObject(usage) || !Number.isFinite(usage['input']) || !Number.isFinite(usage['output']))
    return 'a reply whose usage has no numbers input and output';
  if (!Array.isArray(toolCalls)) return 'a reply whose toolCalls is not a list';
  for (const call of toolCalls as readonly unknown[]) {
    const broken = ['id', 'name', 'arguments'].find(
      (member) => !isObject(call) || typeof call[member] !== 'string',
    );
    if (broken === 'arguments') return 'a tool call whose arguments are not a string of JSON';
    if (broken !== undefined) return `a tool call whose ${broken} is not a string`;
  }
  return undefined;
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null;
