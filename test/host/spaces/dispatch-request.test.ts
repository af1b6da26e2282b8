import { expect, test } from 'vitest';
import { toDispatchRequest } from '../../../host/spaces/dispatch-request.ts';

test('a request as other programs send it is understood, as text and parsed', () => {
  const request = {
    type: 'dispatch',
    agentID: 'architect',
    context: { tools: ['bash', 'read', 'write', 'edit', 'glob', 'grep'] },
  };
  const understood = { agent: 'architect', tools: request.context.tools };
  expect(toDispatchRequest(request)).toEqual(understood);
  expect(toDispatchRequest(JSON.stringify(request))).toEqual(understood);
  expect(toDispatchRequest({ type: 'dispatch', agentID: 'a', message: 'Go' })).toEqual({
    agent: 'a',
    message: 'Go',
  });
  expect(toDispatchRequest({ type: 'dispatch', agentID: 'a', context: { tools: [] } })).toEqual({
    agent: 'a',
    tools: [],
  });
});

test.for([
  ['{"type":', 'it is not JSON'],
  ['[]', 'the request must be an object'],
  [{ agentID: 'a' }, '"type" must be "dispatch", but is missing'],
  [{ type: 'dispach', agentID: 'a' }, '"type" must be "dispatch", but is "dispach"'],
  [{ type: 'dispatch' }, '"agentID" must be the id of an agent, but is missing'],
  [{ type: 'dispatch', agentId: 'a' }, 'did you mean "agentID"?'],
  [{ type: 'dispatch', agentID: 'a', message: 3 }, '"message" must be a text, but is 3'],
  [
    { type: 'dispatch', agentID: 'a', context: { tool: ['read'] } },
    '"tool" is not known in "context"; did you mean "tools"?',
  ],
  [{ type: 'dispatch', agentID: 'a', context: { tools: 'read' } }, '"context.tools" must be a list'],
  [{ type: 'dispatch', agentID: 'a', context: { tools: [1] } }, '"context.tools" must be a list'],
] as const)('%j is refused: %s', ([request, reason]) => {
  expect(() => toDispatchRequest(request)).toThrow(
    expect.objectContaining({ code: 'PEG_USAGE', message: expect.stringContaining(reason) as string }),
  );
});
