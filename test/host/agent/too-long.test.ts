import { describe, expect, test } from 'vitest';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../host/testing/index.ts';

/** Refuses requests above this number of characters, like a server with a smaller window than assumed. */
function atMost(characters: number, message: string, request: ScriptedRequest, answer: ScriptedReply) {
  return contents(request).length > characters ? { faults: { status: 400, message } } : answer;
}
const tooLong = 'prompt is too long';
const fine: ScriptedReply = { text: 'fine' };
const contents = ({ messages }: ScriptedRequest): string => JSON.stringify(messages);

describe('a conversation that the provider finds too long', () => {
  test('is sent again with less of its older part, and answered', async () => {
    let room = Infinity;
    await using home = await openAgentHome((request) => atMost(room, tooLong, request, fine), {
      settings: { contextWindow: 100_000 },
    });
    for (const name of ['first', 'second', 'third']) await home.say(`${name} ${'x'.repeat(8_000)}`);
    room = 20_000;
    const restarts: string[] = [];
    const reply = await home.say('and now?', {
      onEvent: (event) => event.type === 'restart' && restarts.push(event.reason),
    });
    expect(reply.text).toBe('fine');
    expect(restarts).toEqual([expect.stringMatching(/too long for scripted\/test.*less of its history/)]);
    const last = contents(home.model.requests.at(-1)!);
    expect(last).not.toContain('first xxx');
    expect(last).toContain('third xxx');
    expect(last).toContain('and now?');
    expect(home.model.requests).toHaveLength(5);
  });

  test('keeps to what it learnt of the window in the next rounds of the turn', async () => {
    let room = Infinity;
    const stated = "This model's maximum context length is 6000 tokens.";
    const script = (request: ScriptedRequest): ScriptedReply => {
      const isLooking = room < Infinity && request.messages.at(-1).role !== 'tool';
      const look = { toolCalls: [{ name: 'listdir', arguments: { path: '.' } }] };
      return atMost(room, stated, request, isLooking ? look : fine);
    };
    await using home = await openAgentHome(script, { settings: { contextWindow: 100_000 } });
    for (const name of ['first', 'second', 'third']) await home.say(`${name} ${'x'.repeat(9_000)}`);
    const before = home.model.requests.length;
    room = 24_000;
    expect((await home.say('look')).text).toBe('fine');
    expect(home.model.requests.length - before).toBe(3);
  });

  test('is reported in plain words when its last message alone is too long', async () => {
    await using home = await openAgentHome((request) => atMost(30_000, tooLong, request, fine), {
      settings: { contextWindow: 100_000 },
    });
    await home.say('hello');
    await expect(home.say('x'.repeat(50_000))).rejects.toMatchObject({
      code: 'PEG_MODEL_REFUSED',
      message: expect.stringMatching(
        /^This is too long for scripted\/test[\s\S]*split the message[\s\S]*contextWindow/,
      ),
    });
    // Once in full, once without the previous turn; then nothing more could be dropped.
    expect(home.model.requests).toHaveLength(3);
    expect((await home.say('hello again')).text).toBe('fine');
  });

  test('is sent three times at most', async () => {
    let closed = false;
    const full = { faults: { status: 400, message: 'any', code: 'context_length_exceeded' } };
    await using home = await openAgentHome(() => (closed ? full : fine), {
      settings: { contextWindow: 100_000 },
    });
    for (let turn = 0; turn < 6; turn++) await home.say('x'.repeat(4_000));
    closed = true;
    await expect(home.say('and now?')).rejects.toMatchObject({ code: 'PEG_MODEL_REFUSED' });
    expect(home.model.requests).toHaveLength(9);
  });
});
