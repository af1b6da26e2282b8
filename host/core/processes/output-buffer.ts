import { withCommas } from '../text/with-commas.ts';
const minBlockBytes = 4_096;
const maxBlockBytes = 65_536;

/** Collects a stream of any length in bounded memory: all of it up to a limit, beyond that its head and tail. */
export interface OutputBuffer {
  /** Copies `chunk`. Many one-byte chunks take no more memory than their bytes. */
  push(chunk: Buffer): void;
  /** As UTF-8. A line states how many bytes were omitted. Cuts are between characters. */
  text(): string;
  /** Bytes that `text` omits. */
  readonly omitted: number;
}

/** Keeps `maxBytes`, half of them for the head. */
export function createOutputBuffer(maxBytes: number): OutputBuffer {
  const headSize = Math.ceil(maxBytes / 2);
  const tailSize = maxBytes - headSize;
  const head = createBlocks();
  const tail = createBlocks();

  return {
    push(chunk) {
      const room = headSize - head.length;
      if (room > 0) head.append(chunk.subarray(0, room));
      if (chunk.length <= room) return;
      tail.append(chunk.subarray(Math.max(room, 0)));
      tail.dropBefore(tailSize);
    },
    get omitted() {
      return tail.dropped + Math.max(0, tail.length - tailSize);
    },
    text() {
      const { omitted } = this;
      if (omitted === 0) return Buffer.concat([...head.parts(), ...tail.parts()]).toString();
      const first = Buffer.concat(head.parts());
      const all = Buffer.concat(tail.parts());
      const last = all.subarray(all.length - tailSize);
      return `${first.toString('utf8', 0, lastBoundary(first))}\n[… ${withCommas(omitted)} bytes left out …]\n${last.toString('utf8', firstBoundary(last))}`;
    },
  };
}

interface Blocks {
  readonly length: number;
  readonly dropped: number;
  append(bytes: Buffer): void;
  /** Drops whole blocks from the front as long as `keep` bytes remain. */
  dropBefore(keep: number): void;
  parts(): Buffer[];
}

/** Blocks grow with their content, so that a short output takes little memory. Dropped blocks are reused. */
function createBlocks(): Blocks {
  const full: Buffer[] = [];
  let open: Buffer = Buffer.alloc(0);
  let used = 0;
  let length = 0;
  let dropped = 0;
  let spare: Buffer | undefined;

  const nextBlock = (): void => {
    if (open.length > 0) full.push(open);
    const size = Math.min(maxBlockBytes, Math.max(minBlockBytes, open.length * 2));
    open = spare?.length === size ? spare : Buffer.allocUnsafeSlow(size);
    spare = undefined;
    used = 0;
  };

  return {
    get length() {
      return length;
    },
    get dropped() {
      return dropped;
    },
    append(bytes) {
      for (let from = 0; from < bytes.length;) {
        if (used === open.length) nextBlock();
        const copied = bytes.copy(open, used, from);
        used += copied;
        length += copied;
        from += copied;
      }
    },
    dropBefore(keep) {
      while (full.length > 0 && length - full[0]!.length >= keep) {
        spare = full.shift()!;
        length -= spare.length;
        dropped += spare.length;
      }
    },
    parts: () => [...full, open.subarray(0, used)],
  };
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** The end of the last complete character. */
function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The start of the first complete character. */
function firstBoundary(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && start < bytes.length && isContinuation(bytes[start]!)) start++;
  return start;
}
