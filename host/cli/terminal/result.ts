import type { Content, ToolResult } from '../../api/result.ts';
import { cutMessage, withoutEscapes } from './safe.ts';
import { showPicture } from './pictures/show-picture.ts';
import type { Surface, Terminal } from './terminal.ts';

/** Prints a tool's result: text unchanged on stdout, a failure on stderr. Pictures are kept in the home. */
export async function showResult(result: ToolResult, terminal: Terminal, home: string): Promise<void> {
  const { out, err } = terminal;
  if (result.error) {
    const { code, message } = result.error;
    const others = result.content.filter((block) => block.type !== 'text' || block.text !== message);
    // The rest of the result for invalid arguments is the schema, written for models.
    if (code !== 'PEG_INVALID_ARGUMENTS') for (const block of others) await showBlock(block, out, home);
    err.line(`${err.style.bad('error:')} ${cutMessage(withoutEscapes(message).trim())}`);
    return;
  }
  for (const block of result.content) await showBlock(block, out, home);
  if (result.content.length === 0 && result.structured !== undefined) {
    terminal.json(result.structured);
  }
}

async function showBlock(block: Content, out: Surface, home: string): Promise<void> {
  const picture = block.type === 'image' ? showPicture(block, home, out) : undefined;
  if (picture) return out.write(`${(await picture.lines()).map(({ raw }) => raw).join('\n')}\n`);
  const text = toText(block);
  const shown = out.isTerminal ? withoutEscapes(text) : text;
  if (shown !== '') out.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}

function toText(block: Content): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes; use --json to get it]`;
    case 'resource':
      return typeof block.resource['text'] === 'string'
        ? block.resource['text']
        : `[resource ${block.resource.uri}]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
  }
}
