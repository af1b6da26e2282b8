import { expect, test } from 'vitest';
import { createMarkdownStream } from '../../../host/cli/terminal/markdown/stream.ts';
import { createStyle } from '../../../host/cli/terminal/style.ts';
import { maxChunkLength, toChunks } from '../../../plugins/builtin-telegram/outgoing/chunks.ts';
import { readMarkdown } from '../../../plugins/builtin-telegram/outgoing/markdown.ts';
import { createRandom, effort, type Random } from '../../kit/data/fuzz.ts';
import { expectLinear } from '../../kit/growth.ts';

const names = Object.keys(createStyle(process.stdout, process.env, () => 'auto'));
/** Without our own colours, so that all control sequences come from the model. */
const plain = Object.fromEntries(
  names.map((name) => [name, (text: string) => text]),
) as unknown as ReturnType<typeof createStyle>;

const listed = (text: string): readonly string[] => text.split('¦');
const parts = listed(
  `*¦**¦_¦__¦~~¦\`¦\`\`\`¦\`\`\`ts\n¦~~~¦[¦![¦](¦](a)¦<¦<a¦<!--¦<pre>\n¦</pre>\n¦<div>\n¦&¦&amp;¦# ¦> ¦- ¦1. ¦  - ¦        - ¦\n¦\n\n¦ ¦\t¦|¦|a¦|-¦\n|a|\n|-|\n¦word¦two words¦a@b.c ¦https://a.b/(¦www.¦\\¦***a¦*a_¦[a]: b\n¦==\n¦--\n¦- [ ] a\n¦中¦🔧¦'¦"¦)¦]`,
);
const obeyed = listed(
  `\u001B[31m¦\u001B[2J¦\u001B]0;title\u0007¦\u001B]8;;http://x\u001B\\¦\u001BP+q\u001B\\¦\u001B¦\u009B31m¦\u0085¦\r¦\b¦\u0007¦\u202E¦\u2066¦\u007F¦\u0000¦\uD800¦[31m¦]0;x`,
);
// oxlint-disable-next-line no-control-regex -- searches for terminal control sequences
const commands = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

function write(random: Random): string {
  const piece = (): string => random.pick(random.chance(0.2) ? obeyed : parts);
  return random
    .list(1, 12, () =>
      random.chance(0.1)
        ? random
            .list(1, 3, piece)
            .join('')
            .repeat(1 + random.below(100))
        : piece(),
    )
    .join('');
}

/** Every line that a terminal would get for a text that arrives in pieces. */
function* shown(text: string, size: number): Generator<string> {
  const markdown = createMarkdownStream(() => ({ style: plain, width: 60 }));
  for (let at = 0; at < text.length; at += size) {
    markdown.feed(text.slice(at, at + size));
    yield* markdown.finished();
    yield* markdown.unfinished();
  }
  yield* markdown.end();
}

test('whatever a model writes, a terminal gets no command of it, wherever the pieces end', () => {
  const random = createRandom(31_123);
  for (let count = 0; count < 500 * effort; count++) {
    const text = write(random);
    const told = `FUZZ_SEED=${random.seed}, ${count}: ${JSON.stringify(text)}`;
    const size = Math.max(1 + random.below(30), Math.ceil(text.length / 20));
    expect(
      shown(text, size).find((line) => commands.test(line)),
      told,
    ).toBeUndefined();
    expect(toChunks(readMarkdown(text), maxChunkLength).length, told).toBeGreaterThanOrEqual(0);
  }
});

test('whatever is repeated, Markdown takes time by its length and not by the square of it', async () => {
  const random = createRandom(31_124);
  for (let count = 0; count < 40 * effort; count++) {
    const part = random.list(1, 3, () => random.pick(parts)).join('');
    const start = random.pick(['', 'x ', '- ', '```\n']);
    const show = (length: number): void => {
      const text = start + part.repeat(Math.ceil(length / part.length));
      shown(text, length / 3).toArray();
      toChunks(readMarkdown(text), maxChunkLength);
    };
    await expectLinear(show, 15_000, `FUZZ_SEED=${random.seed}, ${count}: ${JSON.stringify(part)}`);
  }
});
