import type { Artifacts } from '../api/store/artifacts.ts';
import type { Content, ToolResult } from '../api/result.ts';
import { fileErrorInWords } from '../core/system-error.ts';
import { withCommas } from '../core/text/with-commas.ts';

/** Maximum characters (UTF-16 units) of one text block. */
export const defaultOutputLength = 30_000;

/** Cuts long text to its head and tail, says how much is missing, and stores the whole text as an artifact. */
export async function limitOutput(
  result: ToolResult,
  limit: number,
  artifacts: Artifacts,
): Promise<ToolResult> {
  if (!result.content.some((block) => block.type === 'text' && block.text.length > limit)) return result;
  const content = await Promise.all(result.content.map((block) => limitBlock(block, limit, artifacts)));
  return { ...result, content };
}

async function limitBlock(block: Content, limit: number, artifacts: Artifacts): Promise<Content> {
  if (block.type !== 'text' || block.text.length <= limit) return block;
  return { ...block, text: cutMiddle(block.text, limit, await keepWhole(block.text, artifacts)) };
}

/** Says where the whole text is stored. A failure to store it never costs the excerpt. */
async function keepWhole(text: string, artifacts: Artifacts): Promise<string> {
  try {
    const id = await artifacts.write(text);
    return `read_artifact {"id":"${id}","offset":…} has all of it`;
  } catch (cause) {
    return `the whole text could not be stored: ${fileErrorInWords(cause)}`;
  }
}

/** Head and tail of `text`, two thirds and one third of `limit`, cut between characters. */
export function cutMiddle(text: string, limit: number, hint: string): string {
  if (text.length <= limit) return text;
  const headEnd = beforeLowSurrogate(text, Math.floor((limit * 2) / 3));
  const tailStart = beforeLowSurrogate(text, text.length - (limit - headEnd));
  const missing = withCommas(tailStart - headEnd);
  return `${text.slice(0, headEnd)}\n[… ${missing} of ${withCommas(text.length)} characters left out; ${hint} …]\n${text.slice(tailStart)}`;
}

function beforeLowSurrogate(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
