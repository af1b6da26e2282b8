import {
  PegboardError,
  defineTool,
  textResult,
  type StructuredResult,
  type StructureOf,
  type Tool,
} from 'pegboard';
import { mediaTypeOf, readPdf } from 'pegboard/files';
import { toText } from './content.ts';
import type { FileAccess } from './access/file-access.ts';
import { explainFileErrors } from './file-error.ts';
import { checkReadable, missing, readWhole, toMegabytes } from './files.ts';
import { openPath } from './access/open-path.ts';
import { shownFrom } from './access/origin.ts';
import { secretReason } from './access/secret-files.ts';

const defaultLimit = 2000;
/** Characters after which a read without an explicit limit stops at the end of a line. */
const maxOutputLength = 30_000;
/** Characters of a structure without an explicit limit, which ends at the end of a line too. */
const maxContentLength = 4_000_000;
const maxImageBytes = 10 * 1024 * 1024;

const fileContent = {
  type: 'object',
  required: ['path', 'size'],
  properties: {
    path: { type: 'string' },
    size: { type: 'integer', description: 'Bytes of the file.' },
    mimeType: { type: 'string', description: 'Of a PDF or an image.' },
    content: { type: 'string', description: 'The lines from offset to limit, or to the end.' },
    offset: { type: 'integer' },
    lines: { type: 'integer', description: 'Lines of content.' },
    totalLines: { type: 'integer' },
    truncated: { type: 'boolean' },
  },
} as const;

export function createRead(access: FileAccess): Tool {
  return defineTool({
    name: 'read',
    title: 'Read file',
    description:
      'Reads a file: text as it is (2000 lines from the start unless offset and limit say otherwise), PDFs as text, images as images. Says how much is left and where to go on. A file must be read before it can be written or edited.',
    category: 'files',
    aliases: ['open file', 'view file'],
    tags: ['file', 'open', 'view', 'show', 'cat', 'image', 'pdf'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    // The thread that reads a PDF has a limit of 30.
    timeout: 45,
    permission: { kind: 'path', argument: 'path' },
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          description: 'The file, relative to the project or home.',
        },
        offset: { type: 'integer', minimum: 0, description: 'First line to show, from 0. Default 0.' },
        limit: {
          type: 'integer',
          minimum: 1,
          description: `Lines to show at most. Default ${defaultLimit}.`,
        },
      },
    },
    outputSchema: fileContent,
    examples: [
      { input: { path: 'README.md' } },
      { input: { path: 'logs/build.log', offset: 2000, limit: 500 } },
    ],
    prepare: ({ path }) =>
      explainFileErrors(path, async () => {
        using reached = openPath(access.roots, path);
        const sensitive = secretReason(access.roots, reached.path);
        if (!reached.stats) throw missing(reached);
        checkReadable(reached.path, reached.stats);
        return {
          preview: `read ${reached.path}`,
          ...(sensitive !== undefined && { sensitive }),
          subject: reached.path,
          plan: reached.path,
        };
      }),
    execute: ({ offset = 0, limit }, call) =>
      explainFileErrors(call.prepared!.plan!, async () => {
        using reached = openPath(access.roots, call.prepared!.plan!);
        checkUnmoved(reached.path, call.prepared!.plan!);
        const { bytes, state } = await readWhole(reached);
        const result = await show(reached.path, bytes, { offset, limit, signal: call.signal });
        access.reads.note(call.caller, reached.path, state);
        return shownFrom(access, [reached.path], result);
      }),
  });
}

/** The confirmed file is the one that is read, even if a link replaced it in the meantime. */
function checkUnmoved(path: string, prepared: string): void {
  if (path === prepared) return;
  throw new PegboardError('PEG_TOOL_FAILED', `${prepared} was replaced while this call was being prepared.`);
}

interface Section {
  readonly offset: number;
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
}

type FileContent = StructureOf<typeof fileContent>;

async function show(path: string, bytes: Buffer, section: Section): Promise<StructuredResult<FileContent>> {
  const mimeType = mediaTypeOf(bytes);
  const file = { path, size: bytes.length };
  if (mimeType === 'application/pdf') {
    const { text } = await readPdf(bytes, { name: path, signal: section.signal });
    return showLines(text, section, { ...file, mimeType });
  }
  if (mimeType !== undefined) return showImage(bytes, { ...file, mimeType });
  const content = toText(bytes);
  if (content) return showLines(content.text, section, file);
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${path} is a binary file (${toMegabytes(bytes.length)} MB, starts with ${bytes.subarray(0, 8).toString('hex')}): only text and images are shown.`,
  );
}

function showImage(
  bytes: Buffer,
  file: FileContent & { readonly mimeType: string },
): StructuredResult<FileContent> {
  const { path, mimeType } = file;
  if (bytes.length <= maxImageBytes) {
    return { content: [{ type: 'image', data: bytes.toString('base64'), mimeType }], structured: file };
  }
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${path} is an image of ${toMegabytes(bytes.length)} MB; images up to ${toMegabytes(maxImageBytes)} MB are shown. Make a smaller copy first.`,
  );
}

/** The text for models ends earlier than the structure for programs, unless the call has a limit. */
function showLines(
  text: string,
  { offset, limit }: Section,
  file: FileContent,
): StructuredResult<FileContent> {
  const lines = text === '' ? [] : text.split(/(?<=\n)/);
  const wanted = lines.slice(offset, limit === undefined ? undefined : offset + limit);
  const whole = limit === undefined ? firstLines(wanted, maxContentLength) : wanted;
  const structured = {
    ...file,
    content: whole.join(''),
    offset,
    lines: whole.length,
    totalLines: lines.length,
    ...(whole.length < wanted.length && { truncated: true }),
  };
  if (text === '') return textResult('[the file is empty]', structured);
  const shown = limit === undefined ? firstLines(wanted.slice(0, defaultLimit), maxOutputLength) : wanted;
  const end = offset + shown.length;
  if (offset === 0 && end === lines.length) return textResult(text, structured);
  const note =
    shown.length === 0
      ? `the file has ${lines.length === 1 ? '1 line' : `${lines.length} lines`}: nothing at offset ${offset}`
      : end < lines.length
        ? `lines ${offset + 1} to ${end} of ${lines.length}; go on with offset ${end}`
        : `lines ${offset + 1} to ${end}, the end`;
  const parts = shown.length === 0 ? [] : textResult(shown.join('')).content;
  return { content: [...parts, ...textResult(`[${note}]`).content], structured };
}

/** The lines that fit, at least one. */
function firstLines(lines: readonly string[], maxLength: number): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line, index) => {
    length += line.length;
    return index > 0 && length > maxLength;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
