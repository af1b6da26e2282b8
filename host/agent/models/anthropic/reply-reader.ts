import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelEvent, ModelReply, ModelToolCall, ModelUsage } from '../../../api/model.ts';

interface AnthropicReply {
  readonly reply: ModelReply;
  /** The server said why it ended. */
  readonly whole: boolean;
}

export interface AnthropicReplyReader {
  /** True when the event held something of the answer. */
  add(event: Anthropic.RawMessageStreamEvent): boolean;
  readonly started: boolean;
  end(model: string): AnthropicReply;
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them, piece by piece, so that no number is rounded. */
  json: string;
}

/** Assembles a streamed answer of the Messages API and reports its parts as they arrive. */
export function createAnthropicReplyReader(onEvent: (event: ModelEvent) => void): AnthropicReplyReader {
  const calls = new Map<number, OpenCall>();
  let text = '';
  let stopReason: string | null | undefined;
  let usage: ModelUsage = { input: 0, output: 0 };
  let started = false;

  const say = (piece: string): boolean => {
    if (piece === '') return false;
    text += piece;
    onEvent({ type: 'text', text: piece });
    return true;
  };
  const read = (event: Anthropic.RawMessageStreamEvent): boolean => {
    switch (event.type) {
      case 'message_start':
        usage = toUsage(event.message.usage);
        return false;
      case 'content_block_start': {
        const { content_block: block } = event;
        if (block.type === 'tool_use') calls.set(event.index, { id: block.id, name: block.name, json: '' });
        return block.type === 'tool_use' || (block.type === 'text' && say(block.text));
      }
      case 'content_block_delta': {
        const { delta } = event;
        if (delta.type === 'text_delta') return say(delta.text);
        if (delta.type === 'thinking_delta') onEvent({ type: 'thinking', text: delta.thinking });
        const call = calls.get(event.index);
        if (delta.type === 'input_json_delta' && call) call.json += delta.partial_json;
        return true;
      }
      case 'message_delta':
        stopReason = event.delta.stop_reason;
        usage = { ...usage, output: event.usage.output_tokens };
        return false;
      default:
        return false;
    }
  };
  return {
    get started() {
      return started;
    },
    add(event) {
      const news = read(event);
      started ||= news;
      return news;
    },
    end(model) {
      const toolCalls = [...calls.values()].map(({ id, name, json }): ModelToolCall => ({
        id,
        name,
        arguments: json === '' ? '{}' : json,
      }));
      return {
        reply: { text, toolCalls, usage, model, finish: toFinish(stopReason, toolCalls.length > 0) },
        whole: typeof stopReason === 'string',
      };
    },
  };
}

/** The API counts tokens read from the cache and written to it separately. */
function toUsage({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
}: Anthropic.Usage): ModelUsage {
  return {
    input: input + (written ?? 0) + (cached ?? 0),
    output,
    ...(typeof cached === 'number' && { cached }),
  };
}

function toFinish(reason: string | null | undefined, calls: boolean): ModelReply['finish'] {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  if (reason === 'refusal') return 'filtered';
  return calls ? 'tool_calls' : 'stop';
}
