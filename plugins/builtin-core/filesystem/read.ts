import { PegboardError, defineTool, type StructuredResult, type Tool } from 'pegboard';
import { mediaTypeOf, readPdf } from 'pegboard/files';
import type { FileAccess } from './access/file-access.ts';
import { fileContent, type FileContent } from './file-content.ts';
import { explainFileErrors } from './file-error.ts';
import { checkReadable, missing, readWhole, toMegabytes } from './files.ts';
import { openPath } from './access/open-path.ts';
import { shownFrom } from './access/origin.ts';
import { runJob } from './large/run-job.ts';
import { showLines, type Section } from './large/read-lines.ts';
import { secretReason } from './access/secret-files.ts';

const defaultLimit = 2000;
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

interface ShownSection extends Section {
  readonly signal: AbortSignal;
}

async function show(
  path: string,
  bytes: Buffer,
  section: ShownSection,
): Promise<StructuredResult<FileContent>> {
  const mimeType = mediaTypeOf(bytes);
  const file = { path, size: bytes.length };
  if (mimeType === 'application/pdf') {
    const { text } = await readPdf(bytes, { name: path, signal: section.signal });
    return showLines(text, section, { ...file, mimeType });
  }
  if (mimeType !== undefined) return showImage(bytes, { ...file, mimeType });
  const { signal, ...lines } = section;
  const start = bytes.subarray(0, 8).toString('hex');
  const job = { bytes, section: lines, file };
  const shown = await runJob('read', job, { size: bytes.length, signal, transfer: bytes });
  if (shown) return shown;
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    `${path} is a binary file (${toMegabytes(file.size)} MB, starts with ${start}): only text and images are shown.`,
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
