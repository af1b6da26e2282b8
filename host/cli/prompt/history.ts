import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Lines that are kept. */
const maxEntries = 1000;
/** Written for a line break, which would split an entry in two. */
const lineBreak = '\u2028';

/** What was typed at the prompt, across sessions, in data/history: one line each, oldest first. */
export interface InputHistory {
  /** Newest first. */
  readonly lines: readonly string[];
  /** A line that begins with a space is not kept, as in a shell; nor are secrets. */
  add(line: string): Promise<void>;
}

export async function openHistory(home: string, redact: (text: string) => string): Promise<InputHistory> {
  const path = join(home, 'data/history');
  let lines = await read(path);
  return {
    get lines() {
      return lines;
    },
    async add(line) {
      if (line.startsWith(' ') || line === lines[0]) return;
      lines = [line, ...lines].slice(0, maxEntries);
      await mkdir(join(home, 'data'), { recursive: true, mode: 0o700 });
      await appendFile(path, `${redact(line).replaceAll('\n', lineBreak)}\n`, { mode: 0o600 });
    },
  };
}

async function read(path: string): Promise<string[]> {
  try {
    const text = await readFile(path, 'utf8');
    const lines = text.split('\n').filter(Boolean).toReversed().slice(0, maxEntries);
    return lines.map((line) => line.replaceAll(lineBreak, '\n'));
  } catch {
    // No history yet, or one that can't be read: the prompt works without.
    return [];
  }
}
