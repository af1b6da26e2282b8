import { PegboardError, messageOf } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import { parseJson } from '../core/documents/written-numbers.ts';
import { asSentence } from '../core/text/as-sentence.ts';

/** A request of another program, `{type: "dispatch", agentID, context: {tools}}`, understood. */
export interface DispatchRequest {
  readonly agent: string;
  /** What the agent is to do; absent: it comes another way. */
  readonly message?: string;
  /** The tools that the agent may use: ids, bare names or patterns. Default: all that its other settings allow. */
  readonly tools?: readonly string[];
}

/** Takes the JSON as text or parsed. Throws PEG_USAGE that says what is wrong where. */
export function toDispatchRequest(json: unknown): DispatchRequest {
  const request = members(typeof json === 'string' ? parse(json) : json, 'the request', [
    'type',
    'agentID',
    'message',
    'context',
  ]);
  const { type, agentID, message, context } = request;
  if (type !== 'dispatch') throw wrong(`"type" must be "dispatch", but is ${show(type)}`);
  if (!isText(agentID)) throw wrong(`"agentID" must be the id of an agent, but is ${show(agentID)}`);
  if (message !== undefined && !isText(message))
    throw wrong(`"message" must be a text, but is ${show(message)}`);
  const { tools } = members(context ?? {}, '"context"', ['tools']);
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isText)))
    throw wrong(`"context.tools" must be a list of tools' names, but is ${show(tools)}`);
  return {
    agent: agentID,
    ...(message !== undefined && { message }),
    ...(tools !== undefined && { tools }),
  };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw wrong(`it is not JSON (${messageOf(cause)})`);
  }
}

/** A misspelt key would silently give an agent more tools than it should have. */
function members(
  value: unknown,
  what: string,
  known: readonly string[],
): { readonly [key: string]: unknown } {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw wrong(`${what} must be an object, but is ${show(value)}`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return value as { readonly [key: string]: unknown };
  const [near] = nearest(unknown, known);
  const hint = near === undefined ? `known: ${known.join(', ')}` : `did you mean "${near}"?`;
  throw wrong(`"${unknown}" is not known in ${what}; ${hint}`);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const wrong = (problem: string): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `This dispatch request can't be used: ${asSentence(problem)} It looks like {"type": "dispatch", "agentID": "architect", "message": "…", "context": {"tools": ["read", "grep"]}}.`,
  );
