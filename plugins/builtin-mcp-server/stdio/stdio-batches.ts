import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Messages that came as one array, as MCP 2025-03-26 has it: the responses to them go out as one array. */
export interface StdioBatches {
  /** `refusals`: the errors for malformed messages in it. */
  begin(messages: readonly JSONRPCMessage[], refusals: readonly JSONRPCMessage[]): void;
  /** True when the message is a response that waits for the others of its batch. */
  keeps(message: JSONRPCMessage): boolean;
  /** There will be no response to the request of this id. */
  cancel(id: unknown): void;
}

interface Batch {
  readonly open: Set<unknown>;
  readonly responses: JSONRPCMessage[];
}

/** `send` gets the responses of a batch once they are complete. */
export function createStdioBatches(send: (responses: readonly JSONRPCMessage[]) => void): StdioBatches {
  const batches = new Map<unknown, Batch>();
  const sendComplete = ({ open, responses }: Batch): void => {
    if (open.size === 0 && responses.length > 0) send(responses);
  };
  const settle = (id: unknown, response?: JSONRPCMessage): boolean => {
    const batch = batches.get(id);
    if (!batch) return false;
    batches.delete(id);
    batch.open.delete(id);
    if (response) batch.responses.push(response);
    sendComplete(batch);
    return true;
  };
  return {
    begin(messages, refusals) {
      const ids = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
      const batch = { open: new Set<unknown>(ids), responses: [...refusals] };
      for (const id of ids) batches.set(id, batch);
      sendComplete(batch);
    },
    keeps: (message) => !('method' in message) && settle(message.id, message),
    cancel: (id) => void settle(id),
  };
}
