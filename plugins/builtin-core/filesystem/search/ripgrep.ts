import { closeSync, openSync, readSync } from 'node:fs';
import { asSentence, PegboardError, type Surroundings } from 'pegboard';
import { childEnvironment, maxCommandBytes, runProcess } from 'pegboard/processes';
import { isBinary } from '../content.ts';
import type { LineSearch, LineSearchEngine, MatchedLine } from './line-search.ts';

const maxCommandLength = maxCommandBytes();

/**
 * No option comes from the caller: the pattern and file names can't be parsed as options, and no configuration file is
 * read.
 */
const options = [
  '--no-config',
  '--no-messages',
  '--text',
  '--crlf',
  '--threads=1',
  '--with-filename',
  '--no-heading',
  '--line-number',
  '--null',
  '--color=never',
  '--max-columns=1',
];

/** Searches with the ripgrep program at `path`. */
export function ripgrepEngine(path: string, { env }: Pick<Surroundings, 'env'>): LineSearchEngine {
  return async (search) => {
    const found: MatchedLine[] = [];
    const kinds = new Map<string, boolean>();
    const isText = (file: string): boolean => {
      if (!kinds.has(file)) kinds.set(file, !startsBinary(`${search.folder}/${file}`));
      return kinds.get(file)!;
    };
    for (const files of batches(search.files)) {
      await run(path, { ...search, files, env }, found, isText);
      if (found.length >= search.limit) break;
    }
    return {
      lines: found.slice(0, search.limit),
      binary: [...kinds].flatMap(([file, text]) => (text ? [] : [file])),
    };
  };
}

/** Bytes in which nearly every binary file has a NUL. */
const sniffedBytes = 64 * 1024;

function startsBinary(path: string): boolean {
  const start = Buffer.alloc(sniffedBytes);
  try {
    const descriptor = openSync(path, 'r');
    try {
      return isBinary(start.subarray(0, readSync(descriptor, start)));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

async function run(
  program: string,
  search: LineSearch & Pick<Surroundings, 'env'>,
  found: MatchedLine[],
  isText: (file: string) => boolean,
): Promise<void> {
  const { pattern, folder, files, limit, env, signal } = search;
  const limitReached = new AbortController();
  const parse = createParser((match) => {
    if (isText(match.file)) found.push(match);
    if (found.length >= limit) limitReached.abort();
  });
  const result = await runProcess({
    argv: [
      program,
      ...options,
      `--max-count=${limit}`,
      '-e',
      pattern,
      '--',
      ...files.map((file) => `./${file}`),
    ],
    cwd: folder,
    environment: childEnvironment(env),
    signal: AbortSignal.any([signal, limitReached.signal]),
    maxBytes: 10_000,
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') parse(chunk);
    },
  });
  signal.throwIfAborted();
  const failed = result.exitCode === 2 && result.stderr.trim() !== '';
  if (failed && !limitReached.signal.aborted) throw badPattern(pattern, result.stderr);
}

/** The output is a line `./file NUL line : …` per match. A file name may itself contain a line break. */
function createParser(onMatch: (match: MatchedLine) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const nul = rest.indexOf(0);
      const end = nul === -1 ? -1 : rest.indexOf('\n', nul);
      if (end === -1) return;
      const file = rest.toString('utf8', 2, nul);
      const line = Number.parseInt(rest.toString('latin1', nul + 1, end), 10);
      rest = rest.subarray(end + 1);
      onMatch({ file, line });
    }
  };
}

function* batches(files: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const file of files) {
    bytes += Buffer.byteLength(file) + 16;
    if (bytes > maxCommandLength && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = Buffer.byteLength(file) + 16;
    }
    batch.push(file);
  }
  if (batch.length > 0) yield batch;
}

export function badPattern(pattern: string, reason: string): PegboardError {
  return new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The pattern ${pattern} can't be searched for: ${asSentence(reason.trim())} To find it as it is written, put \\ before each of . * + ? ( ) [ ] { } ^ $ | \\.`,
  );
}
