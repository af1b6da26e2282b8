import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelRequest } from '../../../api/model.ts';
import type { Content, JsonObject } from '../../../api/result.ts';
import { parseJson } from '../../../core/documents/written-numbers.ts';
import { imageTypeOf } from '../images/image-type.ts';
import { blockText } from '../wire/content.ts';
import { validArguments, without, type WireStyle } from '../wire/messages.ts';
import { repairHistory } from '../wire/repair-history.ts';

type Block = Anthropic.ContentBlockParam;
type Message = { readonly role: 'user' | 'assistant'; readonly content: Block[] };
type ToolResultContent = (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[];

/** What one request holds of the conversation and the tools. */
export interface Conversation {
  readonly system: Anthropic.TextBlockParam[];
  readonly messages: Anthropic.MessageParam[];
  readonly tools: Anthropic.Tool[];
}

const cached = { cache_control: { type: 'ephemeral' } } as const;

/**
 * A conversation in the format of the Messages API: a separate system prompt, alternating user and assistant messages,
 * tool results in a user message. Cache breakpoints follow the tools, the system prompt and the last two user messages,
 * so that the next request reads everything this one sent from the cache. The API allows at most 4.
 * https://docs.claude.com/en/docs/build-with-claude/prompt-caching
 */
export function toConversation(
  { messages: history, tools }: Pick<ModelRequest, 'messages' | 'tools'>,
  { toLegal, leavesOut }: Pick<WireStyle, 'toLegal' | 'leavesOut'>,
): Conversation {
  const toBlocks = (content: readonly Content[]): ToolResultContent => blocksOf(without(content, leavesOut));
  const system: Anthropic.TextBlockParam[] = [];
  const messages: Message[] = [];
  const add = (role: Message['role'], blocks: readonly Block[]): void => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: [...blocks] });
  };
  for (const message of repairHistory(history)) {
    if (message.role === 'system' && messages.length === 0) system.push(...textBlocks(message.text));
    else if (message.role === 'system') add('user', textBlocks(message.text));
    else if (message.role === 'user') add('user', toBlocks(message.content));
    else if (message.role === 'tool')
      add('user', [
        { type: 'tool_result', tool_use_id: legalId(message.callId), content: toBlocks(message.content) },
      ]);
    else if (message.text.trim() !== '' || message.toolCalls?.length)
      add('assistant', [
        ...textBlocks(message.text.trimEnd()),
        ...(message.toolCalls ?? []).map((call): Block => ({
          type: 'tool_use',
          id: legalId(call.id),
          name: toLegal(call.name),
          input: parseJson(validArguments(call.arguments)) as JsonObject,
        })),
      ]);
  }
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: textBlocks('(continued)') });
  for (const message of messages.filter(({ role }) => role === 'user').slice(-2)) {
    const last = message.content.at(-1);
    if (last) message.content[message.content.length - 1] = { ...last, ...cached };
  }
  return {
    system: withLast(system, (block) => ({ ...block, ...cached })),
    messages,
    tools: withLast(
      tools.map(({ name, description, parameters }) => ({
        name: toLegal(name),
        description,
        input_schema: { ...parameters, type: 'object' as const },
      })),
      (tool) => ({ ...tool, ...cached }),
    ),
  };
}

const withLast = <T>(items: readonly T[], change: (item: T) => T): T[] =>
  items.map((item, at) => (at === items.length - 1 ? change(item) : item));

/** The API rejects empty texts. */
const textBlocks = (text: string): Anthropic.TextBlockParam[] =>
  text.trim() === '' ? [] : [{ type: 'text', text }];

function blocksOf(content: readonly Content[]): ToolResultContent {
  const blocks = content.flatMap((block): ToolResultContent => {
    const type = block.type === 'image' ? imageTypeOf(block) : undefined;
    if (block.type !== 'image' || type === undefined) return textBlocks(blockText(block));
    const media_type = type as Anthropic.Base64ImageSource['media_type'];
    return [{ type: 'image', source: { type: 'base64', media_type, data: block.data } }];
  });
  return blocks.length > 0 ? blocks : textBlocks('(empty)');
}

/** Ids of other providers may contain characters that the API rejects. */
const legalId = (id: string): string => id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
