import { endOf, readBetween, type FileEnd } from './last-lines.ts';

const pollMs = 250;

/**
 * Every complete line that is appended after `end`, also across a rotation: the last lines before it are in `path.1`.
 */
export function followLines(path: string, end: FileEnd, onLine: (line: string) => void): Disposable {
  let { ino, size: position } = end;
  const readUpTo = (file: string, size: number): void => {
    if (size <= position) return;
    const text = readBetween(file, position, size);
    const end = text.lastIndexOf('\n') + 1;
    position += Buffer.byteLength(text.slice(0, end));
    for (const line of text.slice(0, end).split('\n')) if (line !== '') onLine(line);
  };
  const poll = setInterval(() => {
    const now = endOf(path);
    if (now.ino !== ino) {
      const aside = endOf(`${path}.1`);
      if (aside.ino === ino) readUpTo(`${path}.1`, aside.size);
      ({ ino } = now);
      position = 0;
    }
    // The file was truncated.
    if (now.size < position) position = 0;
    readUpTo(path, now.size);
  }, pollMs);
  return { [Symbol.dispose]: () => clearInterval(poll) };
}
