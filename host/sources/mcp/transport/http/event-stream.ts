/**
 * Reads server-sent events as they arrive. `onEvent` gets the data and id of each; `onTooLong` is called when one
 * passes `limit` characters.
 */
export interface EventStreamReader {
  push(chunk: string): void;
  /** Ends the stream. A last event without an empty line counts too. */
  end(): void;
}

export interface ServerSentEvent {
  readonly data: string;
  /** The id with which to resume the stream after this event. */
  readonly id: string | undefined;
  /** Milliseconds to wait before that. */
  readonly retryMs: number | undefined;
}

const lineEnds = /\r\n|\r|\n/g;
const byteOrderMark = '\uFEFF';

export function createEventStreamReader(
  limit: number,
  onEvent: (event: ServerSentEvent) => void,
  onTooLong: () => void,
): EventStreamReader {
  let rest = '';
  let data: string | undefined;
  let id: string | undefined;
  let retryMs: number | undefined;

  const readLine = (line: string): void => {
    if (line === '') {
      if (data !== undefined || id !== undefined || retryMs !== undefined) {
        onEvent({ data: data ?? '', id, retryMs });
      }
      data = undefined;
      id = undefined;
      retryMs = undefined;
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const from = colon < 0 ? line.length : line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1;
    if (field === 'data') data = data === undefined ? line.slice(from) : `${data}\n${line.slice(from)}`;
    else if (field === 'id') id = line.slice(from);
    else if (field === 'retry' && /^\d+$/.test(line.slice(from))) retryMs = Number(line.slice(from));
  };
  let isBegun = false;
  /** A line ends with CR, LF or both; a CR at the end of a chunk may have its LF in the next. */
  const readLines = (text: string): number => {
    let start = 0;
    lineEnds.lastIndex = 0;
    for (let found = lineEnds.exec(text); found; found = lineEnds.exec(text)) {
      if (found[0] === '\r' && lineEnds.lastIndex === text.length) break;
      readLine(text.slice(start, found.index));
      start = lineEnds.lastIndex;
    }
    return start;
  };
  return {
    push(chunk) {
      const text = rest === '' ? chunk : rest + chunk;
      const start = isBegun || text[0] !== byteOrderMark ? 0 : 1;
      isBegun ||= text !== '';
      const whole = start === 0 ? text : text.slice(start);
      rest = whole.slice(readLines(whole));
      if (rest.length + (data?.length ?? 0) <= limit) return;
      rest = '';
      data = undefined;
      onTooLong();
    },
    end() {
      const last = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      rest = '';
      if (last !== '') readLine(last);
      readLine('');
    },
  };
}
