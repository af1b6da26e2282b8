import { expect, test } from 'vitest';
import { toModelContent } from '../../../host/agent/result-content.ts';
import type { Content, ToolResult } from '../../../host/api/result.ts';

const text = (value: string): Content => ({ type: 'text', text: value });
const image: Content = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const error = { code: 'PEG_COMMAND_FAILED', stage: 'execute', message: 'It ended with 7.' } as const;

test.for<readonly [string, ToolResult, readonly Content[]]>([
  ['text as it is', { content: [text('one'), text('two')] }, [text('one'), text('two')]],
  ['images as images', { content: [text('a chart'), image] }, [text('a chart'), image]],
  [
    'structured content where no text says it',
    { content: [image], structured: { n: 1 } },
    [text('{"n":1}'), image],
  ],
  [
    'structured content once, where text says it',
    { content: [text('n is 1')], structured: { n: 1 } },
    [text('n is 1')],
  ],
  ['that there is nothing', { content: [] }, [text('(done, no output)')]],
  [
    'of a failure its code and message, and whatever else came',
    { content: [text(error.message), text('half of it'), image], error },
    [text('Error PEG_COMMAND_FAILED: It ended with 7.'), text('half of it'), image],
  ],
])('a model gets to read %s', ([, result, expected]) => {
  expect(toModelContent(result)).toEqual(expected);
});
