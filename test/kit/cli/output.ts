import { appendFileSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Where a command writes that is on no terminal. */
export const pipeOutput = (to: Writable): NodeJS.WriteStream =>
  Object.assign(
    passedOn(to, (text) => text),
    { isTTY: false, hasColors: () => false, getColorDepth: () => 1 },
  ) as unknown as NodeJS.WriteStream;

/** Like `2>file` of a shell. */
export function fileOutput(path: string): NodeJS.WriteStream {
  writeFileSync(path, '');
  return pipeOutput(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        appendFileSync(path, chunk);
        done();
      },
    }),
  );
}

/** The output side of a terminal: it has a size, shows colours, and starts each line at the left. */
export function terminalOutput(to: Writable, size: Size, env: NodeJS.ProcessEnv): NodeJS.WriteStream {
  const depth = env['NO_COLOR'] === undefined ? 8 : 1;
  return Object.assign(
    passedOn(to, (text) => text.replaceAll(/\r?\n/g, '\r\n')),
    {
      ...size,
      isTTY: true,
      hasColors: () => depth > 1,
      getColorDepth: () => depth,
      getWindowSize: () => [size.columns, size.rows],
    },
  ) as unknown as NodeJS.WriteStream;
}

/** A stream of its own, since the command may end before its last output is read. */
const passedOn = (to: Writable, change: (text: string) => string): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      if (to.writable) to.write(typeof chunk === 'string' ? change(chunk) : chunk);
      done();
    },
  });
