import { randomUUID } from 'node:crypto';
import type { Ask } from '../api/ask.ts';
import type { Converse, Reply, TurnEvent } from '../api/conversation.ts';
import type { JsonObject, StructuredResult } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { markUntrusted, originsOf } from '../core/foreign/untrusted.ts';
import { textResult } from '../tools/result.ts';
import type { StructureOf } from '../tools/structure.ts';

export interface AgentTask {
  /** The other agent's name in questions and progress. */
  readonly name: string;
  /** Absent: the home's default agent. */
  readonly agent?: string | undefined;
  readonly text: string;
  readonly context: JsonObject;
}

/** What tools that delegate return. */
export const answerSchema = {
  type: 'object',
  required: ['answer'],
  properties: {
    answer: { type: 'string' },
    stopped: { type: 'string', description: 'Why it ended early.' },
  },
} as const;

type DelegatedAnswer = StructureOf<typeof answerSchema>;

/**
 * Runs the task with another agent, in a conversation of its own, and returns its answer. Its questions go to the
 * caller's `ask`, it is cancelled with the caller, and its steps are reported as progress.
 */
export async function delegateTask(
  converse: Converse,
  call: ToolCall,
  task: AgentTask,
): Promise<StructuredResult<DelegatedAnswer>> {
  const { name, agent, text, context } = task;
  let steps = 0;
  const reply = await converse({
    source: 'agent',
    externalId: randomUUID(),
    text,
    context,
    parent: call,
    ...(call.workplace && { workplace: call.workplace }),
    untrusted: call.turn?.untrusted.origins ?? [],
    signal: call.signal,
    ...(call.confirm !== undefined && { confirm: call.confirm }),
    ...(agent !== undefined && { agent }),
    ...(call.isAttended && { ask: askAs(name, call.ask) }),
    onEvent: (event) => {
      const message = toMessage(event);
      if (message === undefined) return;
      const origins = event.type === 'tool_progress' ? originsOf(event) : [];
      call.progress(markUntrusted({ progress: ++steps, message: `${name}: ${message}` }, ...origins));
    },
  });
  // The answer may be made of untrusted content.
  call.recordOrigins?.(reply.untrusted);
  const { text: answer, stopped } = reply;
  return textResult(shownOf(reply), { answer, ...(stopped !== undefined && { stopped }) });
}

/** Questions name the agent that asks. */
function askAs(name: string, ask: Ask): Ask {
  return (question, signal) => ask({ ...question, message: `${name}: ${question.message}` }, signal);
}

function shownOf({ text, stopped }: Reply): string {
  const answer = text.trim() === '' ? '(It gave no answer.)' : text;
  return stopped === undefined ? answer : `${answer}\n\n[It ended early: ${stopped}]`;
}

/** Undefined for events that are not reported. */
function toMessage(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'tool_start':
      return event.tool;
    case 'tool_progress':
      return event.message;
    case 'notice':
      return event.text;
    default:
      return undefined;
  }
}
