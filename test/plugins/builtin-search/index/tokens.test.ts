import { expect, test } from 'vitest';
import { tokensOf, wordsOf } from '../../../../plugins/builtin-search/index/tokens.ts';

test.each([
  ['createIssue', ['createissue', 'create', 'issue']],
  ['create_issue', ['create', 'issue']],
  ['create-issue.v2', ['create', 'issue', 'v2']],
  ['GitHub', ['github', 'git', 'hub']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['s3', ['s3']],
  ['base64', ['base64', 'base']],
  ['Café Zürich', ['cafe', 'zurich']],
  ["the user's files", ['the', 'user', 'files']],
  ['天气', ['天', '气', '天气']],
  ['東京のweather', ['東', '京', 'の', '東京', '京の', 'weather']],
  ['', []],
])('%s holds the words %j', (text, words) => {
  expect(tokensOf(text)).toEqual(words);
});

test('words that say nothing are left out, unless a text has no others', () => {
  expect(wordsOf('what is in the box')).toEqual(['box']);
  expect(wordsOf('which')).toEqual(['which']);
});
