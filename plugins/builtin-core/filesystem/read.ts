import { PegboardError, defineTool, textResult, type Tool, type ToolResult } from 'pegboard';
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
const maxImageBytes = 10 * 1024 * 1024;

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
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', minLength: 1, description: 'The file, absolute or relative to the home.' },
        offset: { type: 'integer', minimum: 0, description: 'First line to show, from 0. Default 0.' },
        limit: {
          type: 'integer',
          minimum: 1,
          description: `Lines to show at most. Default ${defaultLimit}.`,
        },
      },
    },
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

async function show(path: string, bytes: Buffer, { offset, limit, signal }: Section): Promise<ToolResult> {
  const mimeType = mediaTypeOf(bytes);
  if (mimeType === 'application/pdf') {
    const { text } = await readPdf(bytes, { name: path, signal });
    return showLines(text, offset, limit);
  }
  if (mimeType !== undefined) return showImage(path, bytes, mimeType);
  const content = toText(bytes);
  if (content) return showLines(content.text, offset, limit);
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${path} is a binary file (${toMegabytes(bytes.length)} MB, starts with ${bytes.subarray(0, 8).toString('hex')}): only text and images are shown.`,
  );
}

function showImage(path: string, bytes: Buffer, mimeType: string): ToolResult {
  if (bytes.length <= maxImageBytes) {
    return { content: [{ type: 'image', data: bytes.toString('base64'), mimeType }] };
  }
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${path} is an image of ${toMegabytes(bytes.length)} MB; images up to ${toMegabytes(maxImageBytes)} MB are shown. Make a smaller copy first.`,
  );
}

function showLines(text: string, offset: number, limit: number | undefined): ToolResult {
  if (text === '') return textResult('[the file is empty]');
  const lines = text.split(/(?<=\n)/);
  const shown: string[] = [];
  let length = 0;
  for (const line of lines.slice(offset, offset + (limit ?? defaultLimit))) {
    if (limit === undefined && shown.length > 0 && length + line.length > maxOutputLength) break;
    shown.push(line);
    length += line.length;
  }
  const end = offset + shown.length;
  if (offset === 0 && end === lines.length) return textResult(text);
  const note =
    shown.length === 0
      ? `the file has ${lines.length === 1 ? '1 line' : `${lines.length} lines`}: nothing at offset ${offset}`
      : end < lines.length
        ? `lines ${offset + 1} to ${end} of ${lines.length}; go on with offset ${end}`
        : `lines ${offset + 1} to ${end}, the end`;
  const parts = shown.length === 0 ? [] : textResult(shown.join('')).content;
  return { content: [...parts, ...textResult(`[${note}]`).content] };
}
