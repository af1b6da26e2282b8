import type { ScriptedReply, ScriptedRequest } from '../../../../host/testing/index.ts';
import { answerTo, usesOf, type ScriptedUse } from './asks.ts';

/** A call whose result was delivered to the model, and so is acknowledged. */
export interface DeliveredCall extends ScriptedUse {
  readonly result: string;
}

export interface WholeHostModel {
  readonly script: (request: ScriptedRequest) => ScriptedReply;
  readonly delivered: readonly DeliveredCall[];
}

/** `onRequest` is called with each request before it is answered. */
export function createWholeHostModel(onRequest: () => void): WholeHostModel {
  const delivered: DeliveredCall[] = [];
  return {
    delivered,
    script({ messages }) {
      onRequest();
      const at = messages.findLastIndex(({ role }) => role === 'user');
      const text = JSON.stringify(messages[at].content);
      const results = resultsIn(messages.slice(at + 1));
      const { uses, answer } = replyTo(text);
      if (results.length < uses.length) return { toolCalls: uses };
      // Nothing is known of a call that was cut off.
      delivered.push(
        ...results.filter(({ result }) => !result.includes('Whether it took effect is not known')),
      );
      return { text: answer };
    },
  };
}

/** A turn that was resumed has its calls in the order in which they ended, so each result is paired by its id. */
function resultsIn(turn: ScriptedRequest['messages']): DeliveredCall[] {
  const calls = new Map<string, ScriptedUse>();
  const results: DeliveredCall[] = [];
  for (const { role, tool_calls: made = [], tool_call_id: id, content } of turn) {
    for (const call of made)
      calls.set(call.id, { name: call.function.name, arguments: JSON.parse(call.function.arguments) });
    if (role === 'tool') results.push({ ...calls.get(id)!, result: JSON.stringify(content) });
  }
  return results;
}

function replyTo(text: string): { readonly uses: readonly ScriptedUse[]; readonly answer: string } {
  const [, schedule] = /\[Schedule (\d+), due/.exec(text) ?? [];
  if (schedule !== undefined) {
    return {
      uses: [{ name: 'tally_mark', arguments: { schedule: Number(schedule) } }],
      answer: `schedule ${schedule} is done`,
    };
  }
  if (text.includes('which versions?')) {
    const uses = ['say', 'tally_version'].map((name) => ({ name, arguments: {} }));
    return { uses, answer: 'these versions' };
  }
  // Memories of other turns precede it.
  const ask = Number([...text.matchAll(/ask (\d+)/g)].at(-1)![1]);
  return { uses: usesOf(ask), answer: answerTo(ask) };
}
