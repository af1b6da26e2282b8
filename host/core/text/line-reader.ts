export interface LineReader {
  push(chunk: Buffer): void;
  /** Ends the stream. Text without a line end is the last line. */
  end(): void;
  /** Whether an incomplete line is buffered. */
  readonly hasRest: boolean;
}

/**
 * Splits a byte stream into lines. `onLine` gets each without its line end. `onTooLong` is called once when a line
 * exceeds `limit` bytes.
 */
export function createLineReader(
  limit: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): LineReader {
  let parts: Buffer[] = [];
  let length = 0;

  const take = (last: Buffer): string => {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    length = 0;
    return line.toString('utf8');
  };
  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        const line = take(chunk.subarray(from, end));
        from = end + 1;
        onLine(line);
      }
      if (from === chunk.length) return;
      const rest = from === 0 ? chunk : chunk.subarray(from);
      parts.push(rest);
      length += rest.length;
      if (length > limit) {
        parts = [];
        length = 0;
        onTooLong();
      }
    },
    get hasRest() {
      return length > 0;
    },
    end() {
      if (length > 0) onLine(take(Buffer.alloc(0)));
    },
  };
}
