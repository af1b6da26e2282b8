import { createReadStream } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { asSentence, parseJson, PegboardError } from 'pegboard';
import { fileErrorInWords, messageOf, readAtMost, withoutByteOrderMark } from 'pegboard/kit';
import { absolutePath, type CliSurroundings, readStdin } from 'pegboard/terminal';

/** Bytes. The largest known documents have 12 MB. */
const maxBytes = 64 * 1024 * 1024;
/** Milliseconds. */
const timeoutMs = 60_000;

/** A document of somebody else. */
export interface ReadSource {
  /** Its file or address, as it was given. */
  readonly from: string;
  /** Its address, where it has one. */
  readonly url?: string;
  readonly value: unknown;
}

/** What it is read with. */
interface SourceReading {
  readonly surroundings: Pick<CliSurroundings, 'stdin' | 'cwd'>;
  readonly signal: AbortSignal;
}

/** Reads JSON or YAML from a file, an address (http://, https://) or stdin (`-`). Throws PEG_USAGE. */
export async function readSource(
  given: string,
  { surroundings, signal }: SourceReading,
): Promise<ReadSource> {
  if (given === '-') return { from: 'stdin', value: parse(await readStdin(surroundings.stdin), 'stdin') };
  if (/^https?:\/\//i.test(given)) {
    const { text, url } = await download(given, signal);
    return { from: given, url, value: parse(text, given) };
  }
  return { from: given, value: parse(await readFile(absolutePath(given, surroundings), given), given) };
}

async function readFile(path: string, given: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error(`it has more than ${maxBytes / 1024 / 1024} MB`);
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new PegboardError('PEG_USAGE', `${given} can't be read: ${asSentence(fileErrorInWords(cause))}`, {
      cause,
    });
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function download(
  address: string,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly url: string }> {
  const fail = (why: string, cause?: unknown): PegboardError =>
    new PegboardError('PEG_USAGE', `${address} can't be read: ${asSentence(why)}`, { cause });
  let response: Response;
  try {
    response = await fetch(address, {
      headers: {
        Accept: 'application/json, application/yaml, text/yaml, */*;q=0.5',
        'User-Agent': 'Pegboard',
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
  } catch (cause) {
    throw fail(messageOf((cause as Error).cause ?? cause), cause);
  }
  if (!response.ok) throw fail(`it answers ${response.status} ${response.statusText}`.trim());
  const bytes = await readAtMost(response, maxBytes);
  if (!bytes) throw fail(`it has more than ${maxBytes / 1024 / 1024} MB`);
  return { text: bytes.toString('utf8'), url: response.url };
}

function parse(given: string, from: string): unknown {
  const text = withoutByteOrderMark(given);
  const fail = (why: string, cause?: unknown): PegboardError =>
    new PegboardError('PEG_USAGE', `${from} ${why}`, { cause });
  if (/^\s*</.test(text))
    throw fail(
      'is a page or XML, not a document in JSON or YAML. Look there for the address of the document itself.',
    );
  try {
    return /^\s*[[{]/.test(text) ? parseJson(text) : load(text, { schema: CORE_SCHEMA, filename: from });
  } catch (cause) {
    throw fail(`is not valid JSON or YAML: ${messageOf(cause).split('\n')[0]}`, cause);
  }
}
