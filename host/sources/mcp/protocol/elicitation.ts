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
  /** Equal for the requests of one person at one place. Undefined: this request is one by itself. */
  readonly session: string | undefined;
  readonly peer?: Peer | undefined;
  /** Hears what is logged when none of its requests is open. */
  readonly between?: Pick<Peer, 'log'> | undefined;
  /** MCP's sampling with a model of ours; absent: the peer's, if any. */
  readonly sample?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
}

/** A server's question as ours, or undefined when it isn't one: then it is declined. */
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

/** Asks on behalf of a server, and answers as MCP's elicitation result. Nobody there: declined. */
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

/** A field that is left as it is has its default. */
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
