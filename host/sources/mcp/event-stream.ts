/** Reads server-sent events as they come. `onEvent` gets the data and id of each; `onTooLong` is told once one passes `limit` characters. */
export interface EventStreamReader {
  push(chunk: string): void;
}

export interface ServerSentEvent {
  readonly data: string;
  /** What to say when the stream is to be resumed after this event. */
  readonly id: string | undefined;
  /** Milliseconds to wait before that. */
  readonly retryMs: number | undefined;
}

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
  return {
    push(chunk) {
      const text = rest === '' ? chunk : rest + chunk;
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        readLine(text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end));
        start = end + 1;
      }
      rest = text.slice(start);
      if (rest.length + (data?.length ?? 0) <= limit) return;
      rest = '';
      data = undefined;
      onTooLong();
    },
  };
}
