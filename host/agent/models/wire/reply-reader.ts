import type { ModelEvent, ModelReply } from '../../../api/model.ts';
import { createCallAssembler, type AssembledCall, type CallDelta } from './call-deltas.ts';
import { unavailable } from '../failure.ts';
import { createThinkingSplitter, splitUnopened, type Split } from './thinking.ts';
import { toUsage, type WireUsage } from './usage.ts';

/** A chunk of a stream, or a complete response. */
export interface Chunk {
  readonly choices?:
    | readonly {
        readonly delta?: Delta | null;
        readonly message?: Delta | null;
        readonly finish_reason?: string | null;
      }[]
    | null;
  readonly usage?: WireUsage | null;
  readonly error?: { readonly message?: string; readonly code?: unknown } | null;
}

interface Delta {
  /** Mistral's reasoning models send parts. */
  readonly content?: string | readonly ContentPart[] | null;
  /** OpenAI, instead of content. */
  readonly refusal?: string | null;
  /** DeepSeek, vLLM, Qwen, xAI. */
  readonly reasoning_content?: string | null;
  /** OpenRouter, Groq, Ollama. */
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly CallDelta[] | null;
}

interface ContentPart {
  readonly text?: string;
  readonly thinking?: readonly { readonly text?: string }[];
}

/** A reply with the data that is not part of it. */
interface ReadReply {
  readonly reply: ModelReply;
  /** The server marked the end. */
  readonly whole: boolean;
  readonly calls: readonly AssembledCall[];
  /** Fields of the message for `ReplayMemory`. */
  readonly fields: object;
}

export interface ReplyReader {
  /** True when the chunk held content. */
  add(chunk: Chunk): boolean;
  /** Whether any content has arrived. */
  readonly started: boolean;
  /** `sent`: characters of the request, called when the server doesn't report tokens. */
  end(model: string, sent: () => number): ReadReply;
}

/** Assembles a streamed reply, and emits its pieces. */
export function createReplyReader(
  /** Names of the tools on offer, as they were sent. */
  offered: readonly string[],
  onEvent: (event: ModelEvent) => void,
): ReplyReader {
  const assembler = createCallAssembler(new Set(offered));
  const splitter = createThinkingSplitter();
  let text = '';
  let thinking = '';
  let reasoning = '';
  let finish: string | undefined;
  let usage: WireUsage | undefined;
  let started = false;

  const think = (piece: string): void => {
    if (piece === '') return;
    thinking += piece;
    onEvent({ type: 'thinking', text: piece });
  };
  const say = (split: Split): void => {
    think(split.thinking);
    if (split.text === '') return;
    text += split.text;
    onEvent({ type: 'text', text: split.text });
  };

  return {
    get started() {
      return started;
    },
    add({ choices, usage: counted, error }) {
      if (error) throw Object.assign(new Error(error.message ?? 'an error without a message'), error);
      if (counted) usage = counted;
      const choice = choices?.[0];
      if (!choice) return false;
      if (choice.finish_reason) finish = choice.finish_reason;
      const delta = choice.delta ?? choice.message ?? {};
      const parts = partsOf(delta.content);
      const thought = delta.reasoning_content ?? delta.reasoning ?? parts.thinking;
      const said = parts.text + (delta.refusal ?? '');
      reasoning += delta.reasoning_content ?? '';
      think(thought);
      if (said !== '') say(splitter.add(said));
      for (const call of delta.tool_calls ?? []) assembler.add(call);
      const news = thought !== '' || said !== '' || (delta.tool_calls ?? []).length > 0;
      started ||= news;
      return news;
    },
    end(model, sent) {
      say(splitter.end());
      if (finish === 'error') throw unavailable(`${model} failed in the middle of its answer.`, { model });
      const unopened = thinking === '' ? splitUnopened(text) : undefined;
      if (unopened) {
        onEvent({ type: 'restart', reason: 'the text so far was reasoning' });
        text = '';
        say(unopened);
      }
      const { calls } = assembler;
      const said = (): number => text.length + thinking.length + JSON.stringify(calls).length;
      return {
        reply: {
          text,
          toolCalls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
          usage: toUsage(usage, { input: sent, output: said }),
          model,
          finish: toFinish(finish, calls.length > 0),
        },
        whole: finish !== undefined || usage !== undefined,
        calls,
        fields: reasoning === '' ? {} : { reasoning_content: reasoning },
      };
    },
  };
}

function partsOf(content: Delta['content']): Split {
  if (!Array.isArray(content)) return { text: (content as string | null | undefined) ?? '', thinking: '' };
  const parts = content as readonly ContentPart[];
  return {
    text: parts.map(({ text = '' }) => text).join(''),
    thinking: parts.flatMap(({ thinking = [] }) => thinking.map(({ text = '' }) => text)).join(''),
  };
}

/** Some servers send "stop" together with tool calls. */
function toFinish(finish: string | undefined, calls: boolean): ModelReply['finish'] {
  if (finish === 'length' || finish === 'max_tokens') return 'length';
  if (finish === 'content_filter') return 'filtered';
  return calls ? 'tool_calls' : 'stop';
}
