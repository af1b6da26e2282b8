import type { TextContent, ToolResult } from '../../../api/result.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import { dropReservedMeta } from '../../../core/foreign/reserved-meta.ts';
import type { ProcessResult } from '../../../core/processes/process.ts';
import type { WrittenManifest } from '../../../formats/tool.ts';
import { parseMember } from '../../../core/documents/written-numbers.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** The output of a command: `json` and `lines` become structured content. */
export type CommandOutput = NonNullable<WrittenManifest['output']>;

/** The result of a successful run: standard output unchanged, standard error in a block of its own. */
export function toCommandOutput(tool: string, kind: CommandOutput, result: ProcessResult): ToolResult {
  const content = contentOf(result);
  switch (kind) {
    case 'text':
      return { content };
    case 'lines':
      return { content, structured: { lines: linesOf(result.stdout) } };
    case 'json':
      return { content, structured: parseObject(tool, result) };
  }
}

function contentOf({ stdout, stderr }: ProcessResult): TextContent[] {
  const blocks: TextContent[] = [];
  if (stdout !== '') blocks.push({ type: 'text', text: stdout });
  if (stderr.trim() !== '')
    blocks.push({ type: 'text', text: stdout === '' ? stderr : `[stderr]\n${stderr}` });
  return blocks;
}

function linesOf(stdout: string): string[] {
  const lines = stdout.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** MCP requires an object as structured content, so any other value becomes the `value` of one. */
function parseObject(tool: string, { stdout, stderr, omitted }: ProcessResult): object {
  const refuse = (why: string): never => {
    throw new PegboardError('PEG_COMMAND_FAILED', `${tool} declares "output: json", but ${why}`, {
      data: { exitCode: 0, signal: null, stdout: stdout.slice(0, 2_000), stderr: stderr.slice(-2_000) },
    });
  };
  if (omitted.stdout > 0) refuse(`its output exceeds the limit by ${omitted.stdout} bytes.`);
  if (stdout.trim() === '') refuse('it printed nothing.');
  try {
    const holder = parseMember('value', stdout.replace(/^\ufeff/, ''));
    const { value } = holder;
    dropReservedMeta(value);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : holder;
  } catch (cause) {
    return refuse(
      `its output is not valid JSON: ${asSentence(messageOf(cause))} It begins: ${stdout.trim().slice(0, 200)}`,
    );
  }
}
