import { expect, test } from 'vitest';
import { takeMentions } from '../../../../plugins/builtin-search/ranking/mentions.ts';

const file = (ending: string, ...names: string[]) => ({ kinds: ['file'], hints: [ending], names });

test.each([
  ['open notes.txt and tell me', 'open and tell me', [file('txt', 'notes')]],
  ['读取文件notes.txt看看', '读取文件 看看', [file('txt', 'notes')]],
  ['notes.txtを開いて', 'を開いて', [file('txt', 'notes')]],
  ['save to D:/data/sheet.xlsx, please', 'save to please', [file('xlsx', 'd', 'data', 'sheet')]],
  ['README.md.', '', [file('md', 'readme')]],
  ['all files that end in .md', 'all files that end in', [file('md')]],
  [
    'read https://www.github.com/owner/repo?tab=1',
    'read',
    [{ kinds: ['page', 'url'], hints: ['github'], names: ['owner', 'repo', 'tab', '1'] }],
  ],
  ['mail bob@example.org', 'mail', [{ kinds: [], hints: [], names: ['bob', 'example', 'org'] }]],
])('"%s" mentions what a tool is to be used on', (text, rest, mentions) => {
  const taken = takeMentions(text);
  expect(taken.rest.replaceAll(/\s+/g, ' ').trim()).toBe(rest);
  expect(taken.mentions).toEqual(mentions);
});

test.each(['github.create_issue', 'version 1.2.3', 'e.g. this, etc. and so on', 'a.b'])(
  '"%s" mentions nothing',
  (text) => {
    expect(takeMentions(text)).toEqual({ rest: text, mentions: [] });
  },
);

test('a long text without spaces is read in one go', () => {
  for (const text of ['a.'.repeat(100_000), 'a@'.repeat(100_000), `http://${'a.'.repeat(100_000)}`])
    expect(takeMentions(text).rest.length).toBeLessThanOrEqual(text.length);
});
