import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { messageOf, PegboardError } from '../../core/errors.ts';
import { fileErrorInWords } from '../../core/system-error.ts';
import type { CliSurroundings } from '../surroundings.ts';
import { withCommas } from '../../core/text/with-commas.ts';

/** Bytes. Endless input, as from /dev/zero, ends here. */
const maxBytes = 67_108_864;

/** The value of an option: "-" is stdin, @FILE a file or a pipe, anything else the text itself. Throws PEG_USAGE. */
export async function readGiven(
  option: string,
  given: string,
  { stdin, cwd }: Pick<CliSurroundings, 'stdin' | 'cwd'>,
): Promise<string> {
  if (given === '-') return await readStdin(stdin);
  if (!given.startsWith('@')) return given;
  try {
    return await readText(createReadStream(resolve(cwd(), given.slice(1))));
  } catch (cause) {
    throw new PegboardError(
      'PEG_USAGE',
      `${option} ${given}: the file can't be read (${fileErrorInWords(cause)}).`,
      {
        cause,
      },
    );
  }
}

/** All of stdin. Throws PEG_USAGE when it doesn't end within the limit. */
export async function readStdin(stdin: Readable): Promise<string> {
  try {
    return await readText(stdin);
  } catch (cause) {
    throw new PegboardError('PEG_USAGE', `stdin can't be read (${messageOf(cause)}).`, { cause });
  }
}

/** A secret on stdin. Throws PEG_USAGE where that is a terminal, which would show what is typed. */
export async function readSecretStdin(stdin: CliSurroundings['stdin']): Promise<string> {
  if (stdin.isTTY)
    throw new PegboardError(
      'PEG_USAGE',
      'stdin is a terminal, which would show the secret. Leave stderr on the terminal too, to be asked for it, or redirect stdin.',
    );
  return await readStdin(stdin);
}

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new Error(`it has more than ${withCommas(maxBytes)} bytes, which is the limit`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
