import type { ScriptedRequest } from './script.ts';
import { parseJson } from '../core/documents/written-numbers.ts';

/** Why a provider would refuse the request, in the words that OpenAI uses; undefined when it wouldn't. */
export function whatIsWrong(request: ScriptedRequest): string | undefined {
  if (typeof request.model !== 'string' || request.model === '') return 'you must provide a model parameter';
  if (!Array.isArray(request.messages) || request.messages.length === 0) {
    return "Invalid 'messages': empty array. Expected an array with minimum length 1";
  }
  return wrongTools(request.tools) ?? wrongContents(request.messages) ?? wrongHistory(request.messages);
}

function wrongTools(tools: ScriptedRequest['tools']): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools) || tools.length === 0) return "Invalid 'tools': empty array";
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name, parameters } = tool?.function ?? {};
    if (tool?.type !== 'function') return `Invalid 'tools[${index}].type'`;
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
      return `Invalid 'tools[${index}].function.name': ${JSON.stringify(name)} does not match '^[a-zA-Z0-9_-]{1,64}$'`;
    }
    if (names.has(name)) return `Tool names must be unique: ${name}`;
    names.add(name);
    if (parameters !== undefined && parameters?.type !== 'object') {
      return `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'`;
    }
  }
  return undefined;
}

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

function wrongContents(messages: ScriptedRequest['messages']): string | undefined {
  for (const [index, message] of messages.entries()) {
    const { role, content, tool_calls: calls } = message;
    if (!roles.has(role)) return `Invalid value: '${role}' in 'messages[${index}].role'`;
    const empty = content === null || content === undefined;
    if (empty && !(role === 'assistant' && calls)) {
      return `Invalid value for 'content' of messages[${index}]: expected a string, got null`;
    }
    if (empty || typeof content === 'string') continue;
    const allowed = role === 'user' ? ['text', 'image_url', 'input_audio', 'file'] : ['text'];
    if (!Array.isArray(content) || content.length === 0) return `Invalid 'messages[${index}].content'`;
    const wrong = content.find(({ type }) => !allowed.includes(type));
    if (wrong) return `Invalid value: '${wrong.type}' in 'messages[${index}].content' of role ${role}`;
  }
  return undefined;
}

/** A call without its answer, an answer without its call, anything between the two. */
function wrongHistory(messages: ScriptedRequest['messages']): string | undefined {
  let waiting = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.tool_call_id)) {
        return `messages[${index}]: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${message.tool_call_id})`;
      }
      continue;
    }
    if (waiting.size > 0) return unanswered(waiting);
    if (message.role !== 'assistant' || message.tool_calls === undefined) continue;
    const wrong = wrongCalls(message.tool_calls, index);
    if (wrong !== undefined) return wrong;
    waiting = new Set(message.tool_calls.map(({ id }: { id: string }) => id));
  }
  return waiting.size > 0 ? unanswered(waiting) : undefined;
}

function wrongCalls(calls: any, index: number): string | undefined {
  if (!Array.isArray(calls) || calls.length === 0)
    return `Invalid 'messages[${index}].tool_calls': empty array`;
  const ids = new Set<string>();
  for (const call of calls) {
    const { name, arguments: args } = call.function ?? {};
    if (typeof call.id !== 'string' || call.id === '') return `messages[${index}]: a tool call has no id`;
    if (ids.has(call.id)) return `messages[${index}]: two tool calls have the id ${call.id}`;
    ids.add(call.id);
    if (call.type !== 'function' || typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
      return `messages[${index}]: bad name of a tool call: ${JSON.stringify(name)}`;
    }
    if (!isJsonObject(args)) return `messages[${index}]: arguments of ${name} are no JSON object: ${args}`;
  }
  return undefined;
}

/** Anthropic, Gemini, Mistral and vLLM's templates parse the arguments of earlier calls, and fail on broken ones. */
function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const unanswered = (ids: ReadonlySet<string>): string =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. These had no response: ${[...ids].join(', ')}`;
