import type { Answer, Ask, Question } from '../../../api/ask.ts';
import type { Peer } from '../../../api/mcp/peer.ts';
import type { JsonObject } from '../../../api/result.ts';
import { mergeWritten, rememberNumber, writtenNumber } from '../../../core/documents/written-numbers.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { requestMeta } from '../transport/request-meta.ts';
import { isObject } from '../transport/rpc-message.ts';

/** Who can be asked during a request. */
export interface ElicitationTarget {
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** Equal for requests of the same person at the same place. Undefined: the request is unrelated to others. */
  readonly session: string | undefined;
  readonly peer?: Peer | undefined;
  /** Gets log messages while none of its requests is open. */
  readonly between?: Pick<Peer, 'log'> | undefined;
  /** A question that may be about this request was declined, and nobody has seen it. */
  readonly onUnseenQuestion?: (() => void) | undefined;
  /** MCP's sampling with our own model; absent: with the peer's, if any. */
  readonly sample?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
}

/** Converts a server's question to ours; undefined for a malformed one, which is declined. */
function toQuestion(server: string, params: JsonObject | undefined): Question | undefined {
  if (typeof params?.['message'] !== 'string') return undefined;
  const message = `${server} asks: ${visibleText(params['message'])}`;
  const meta = isObject(params['_meta']) ? requestMeta(params['_meta']) : undefined;
  const more = meta && { meta };
  if (params['mode'] === 'url') {
    const url = typeof params['url'] === 'string' ? URL.parse(params['url']) : null;
    return url && /^https?:$/.test(url.protocol) ? { message, url: url.href, ...more } : undefined;
  }
  const schema = params['requestedSchema'];
  return isObject(schema) ? { message, schema, ...more } : undefined;
}

/** Asks on behalf of a server, and returns MCP's elicitation result: declined if nobody can be asked. */
export async function elicit(
  server: string,
  params: JsonObject | undefined,
  asker: ElicitationTarget | undefined,
): Promise<JsonObject> {
  const question = toQuestion(server, params);
  if (!question || !asker) return { action: 'decline' };
  return toElicitResult(await asker.ask(question, asker.signal), question);
}

function toElicitResult(answer: Answer, question: Question): JsonObject {
  const more = answer.meta && { _meta: answer.meta };
  if (answer.action !== 'accept' || question.url !== undefined) return { action: answer.action, ...more };
  return { action: 'accept', content: withDefaults(answer.content ?? {}, question.schema), ...more };
}

/** An unchanged field has its default. */
function withDefaults(content: JsonObject, schema: JsonObject | undefined): JsonObject {
  const missing: Record<string, unknown> = {};
  const properties = isObject(schema?.['properties']) ? Object.entries(schema['properties']) : [];
  for (const [name, property] of properties) {
    if (Object.hasOwn(content, name) || !isObject(property) || property['default'] === undefined) continue;
    Object.defineProperty(missing, name, { value: property['default'], enumerable: true });
    const written = writtenNumber(property, 'default');
    if (written !== undefined) rememberNumber(missing, name, written);
  }
  return Object.keys(missing).length === 0 ? content : mergeWritten(content, missing);
}
