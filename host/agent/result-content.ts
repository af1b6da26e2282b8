import type { Content, ToolResult } from '../api/result.ts';

/**
 * What a model gets to read of a result: its blocks, structured content where no text says it, and for a failure its
 * code, so that the model knows what kind it is.
 */
export function toModelContent({ content, structured, error }: ToolResult): readonly Content[] {
  if (error) {
    const others = content.filter((block) => block.type !== 'text' || block.text !== error.message);
    return [text(`Error ${error.code}: ${error.message}`), ...others];
  }
  const silent = !content.some((block) => block.type === 'text' && block.text !== '');
  if (structured !== undefined && silent) return [text(JSON.stringify(structured)), ...content];
  return content.length > 0 ? content : [text('(done, no output)')];
}

const text = (value: string): Content => ({ type: 'text', text: value });
