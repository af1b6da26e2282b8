import { withoutByteOrderMark } from '../../../../core/text/byte-order-mark.ts';
import { parseJson } from '../../../../core/documents/written-numbers.ts';
import { createEventStreamReader } from './event-stream.ts';
import { isEventStream, type HttpOutcome } from './http-requests.ts';
import { isObject } from '../rpc-message.ts';

/** Whether `message` is a JSON-RPC response to the request with this id. */
export function answers(message: unknown, id: number): boolean {
  if (!isObject(message) || message['method'] !== undefined) return false;
  const isOwn = message['id'] === id || message['id'] === String(id);
  return isOwn && ('result' in message || 'error' in message);
}

/** The messages in the body of an unsuccessful response, if the response to this request is among them. */
export function responseIn(outcome: HttpOutcome, id: number): readonly unknown[] | undefined {
  const messages = messagesIn(outcome);
  return messages.some((message) => answers(message, id)) ? messages : undefined;
}

/** The JSON value of a body; undefined for other bodies. */
export function messagesIn({ headers, text }: HttpOutcome): readonly unknown[] {
  if (text === '') return [];
  return (isEventStream(headers) ? eventsIn(text) : [text]).flatMap(valuesIn);
}

function eventsIn(text: string): readonly string[] {
  const events: string[] = [];
  const reader = createEventStreamReader(
    text.length,
    ({ data }) => void events.push(data),
    () => {},
  );
  reader.push(text);
  reader.end();
  return events;
}

function valuesIn(json: string): readonly unknown[] {
  try {
    return [parseJson(withoutByteOrderMark(json))].flat();
  } catch {
    return [];
  }
}
