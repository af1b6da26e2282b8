import { describe, expect, test } from 'vitest';
import { createLinkFilter, openLinks } from '../../../../host/core/foreign/open-links.ts';
import { createRandom, effort } from '../../../kit/data/fuzz.ts';
import { hiddenLinksIn } from '../../../kit/data/hidden-links.ts';
import { expectLinear } from '../../../kit/growth.ts';

const known = 'http://known.example/a';
const isKnown = (address: string): boolean => address === known;
const evil = 'http://evil.example/?d=SECRET';

test.each([
  [`[a](${evil})`, `[a] (${evil})`],
  [`![](${evil} "b")`, `![] (${evil} "b")`],
  [`[a][1]\n\n[1]: ${evil}`, `[a][1]\n\n[1] : ${evil}`],
  [`[a](${known})[b](${evil})`, `[a](${known})[b] (${evil})`],
  [`[a](${known}\u00a0${evil})`, `[a] (${known}\u00a0${evil})`],
])('%s is shown as %s', (written, shown) => expect(openLinks(written, isKnown)).toBe(shown));

describe('stays as it is:', () => {
  test.each([
    `[a](${known}) and ![b](<${known}> "c")`,
    `[a]: ${known}\n`,
    `${evil} and <${evil}>`,
    '[a](docs/b.md#c), [d](#e), [f](/g/h.png), [i]()',
    '`handlers[0](event)`, [x], a[1], [note]: see below',
    'ends in [',
    'ends in ]',
    'ends in ](',
  ])('%s', (text) => expect(openLinks(text, isKnown)).toBe(text));
});

const parts =
  `[ ] ( ) < > ! : " ' \\ \n # & ; * _ \` > - a 1 x/ // http:// ${evil} ${known} ](${known}) &#104; &colon; tg:`.split(
    /(?<=\S) (?=\S)/,
  );

test(
  'whatever the Markdown, no link or picture hides where it leads, wherever the pieces end',
  { timeout: 300_000 },
  () => {
    const random = createRandom(37);
    for (let run = 0; run < 20_000 * effort; run++) {
      const pieces = random.list(2, 14, () => random.pick([...parts, '](', ']:', '[a]', ' ', '\u00a0']));
      const filter = createLinkFilter(isKnown);
      const streamed = pieces.map((piece) => filter.add(piece)).join('') + filter.end();
      const written = pieces.join('');
      const context = `seed ${random.seed}: ${JSON.stringify(written)}`;
      expect(streamed, context).toBe(openLinks(written, isKnown));
      expect(streamed.replaceAll(' ', ''), context).toBe(written.replaceAll(' ', ''));
      expect(
        hiddenLinksIn(streamed).filter((href) => !isKnown(href)),
        context,
      ).toEqual([]);
    }
  },
);

test('a text is read in a time that grows with its length alone, in whatever pieces it comes', async () => {
  await expectLinear((length) => {
    for (const one of [']', '](', '[a](http://', '] ', '(', 'a']) {
      const filter = createLinkFilter(isKnown);
      filter.add('[a](');
      for (let at = 0; at < length; at++) filter.add(one);
      filter.end();
    }
  }, 2_000);
});
