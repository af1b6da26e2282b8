import type { ModelMessage, WireTool } from '../../../api/model.ts';
import type { Content } from '../../../api/result.ts';
import { repairHistory } from '../wire/repair-history.ts';
import { validArguments } from '../wire/messages.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';

/** The messages for a model without tool calls: schemas in the system prompt, results as user messages. */
export function toTextMessages(
  messages: readonly ModelMessage[],
  tools: readonly WireTool[],
): ModelMessage[] {
  const written: ModelMessage[] = [];
  for (const message of repairHistory(messages)) {
    if (message.role === 'assistant') written.push({ role: 'assistant', text: withCalls(message) });
    else if (message.role === 'tool') addUser(written, response(message));
    else if (message.role === 'user') addUser(written, message.content);
    else written.push(message);
  }
  return tools.length === 0 ? written : withToolsPart(written, toolsPart(tools));
}

/** The section of the system prompt about tools. The same tools give the same bytes. */
function toolsPart(tools: readonly WireTool[]): string {
  const schemas = tools.map(({ name, description, parameters }) => toJson({ name, description, parameters }));
  return `# How to call tools

You have these tools, one JSON object a line:

<tools>
${schemas.join('\n')}
</tools>

To call one, write this and nothing after it, with arguments that match its schema:

<tool_call>
{"name": "name_of_the_tool", "arguments": {"parameter": "value"}}
</tool_call>

For several calls at once write several such blocks. The results come in the next message, inside <tool_response> tags: never write those yourself. When no tool is needed, just answer; a call that you only show goes into a code block of four backticks.`;
}

function withToolsPart(messages: readonly ModelMessage[], part: string): ModelMessage[] {
  const [first, ...others] = messages;
  if (first?.role !== 'system') return [{ role: 'system', text: part }, ...messages];
  return [{ role: 'system', text: `${first.text}\n\n${part}` }, ...others];
}

function withCalls({ text, toolCalls = [] }: Extract<ModelMessage, { role: 'assistant' }>): string {
  const calls = toolCalls.map(
    ({ name, arguments: args }) =>
      `<tool_call>\n{"name": ${toJson(name)}, "arguments": ${validArguments(args)}}\n</tool_call>`,
  );
  return [text, ...calls].filter((part) => part !== '').join('\n');
}

/** Escapes tags, so that a tool's text can't close its frame or begin a call. */
const escapeFrame = (text: string): string => text.replaceAll(/<(\/?tool_(?:response|call))/g, '<\\$1');

function response({ name, content }: Extract<ModelMessage, { role: 'tool' }>): Content[] {
  return [
    { type: 'text', text: `<tool_response name="${name}">` },
    ...content.map((block) => (block.type === 'text' ? { ...block, text: escapeFrame(block.text) } : block)),
    { type: 'text', text: '</tool_response>' },
  ];
}

/** Many chat templates require user and assistant messages to alternate. */
function addUser(messages: ModelMessage[], content: readonly Content[]): void {
  const last = messages.at(-1);
  if (last?.role === 'user')
    messages[messages.length - 1] = { role: 'user', content: [...last.content, ...content] };
  else messages.push({ role: 'user', content });
}
