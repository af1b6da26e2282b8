/** Markdown as models write it, and malformed. Words are numbered, so that lost ones are noticed. */
export interface RandomMarkdown {
  readonly markdown: string;
  /** All that a reader must find. */
  readonly words: readonly string[];
  /** A number below `below`, from the same seed. */
  readonly next: (below: number) => number;
}

export function randomMarkdown(seed: number): RandomMarkdown {
  let state = seed;
  // Numerical Recipes' generator.
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  const pick = <T>(choices: readonly T[]): T => choices[next(choices.length)]!;
  const words: string[] = [];
  const word = (): string => {
    words.push(`w${words.length}q`);
    return words.at(-1)!;
  };

  const inline = (depth: number): string => {
    if (depth <= 0) return word();
    const more = (): string => inline(depth - 1);
    return pick([
      word,
      () => `${more()} ${more()}`,
      () => `**${more()}**`,
      () => `_${more()}_`,
      () => `***${more()}***`,
      () => `~~${more()}~~`,
      () => `||${more()}||`,
      () => `\`${word()} <&> ${word()}\``,
      () => `\`\` ${word()} \` ${word()} \`\``,
      () => `[${more()}](${pick(addresses)})`,
      () => `![${word()}](${pick(addresses)})`,
      () => `[${more()}][ref] [^1]`,
      () => `<https://x.y/${word()}> https://auto.link/${word()}?a&b`,
      () => `<b>${more()}</b><script>${word()}</script><!-- ${word()} -->`,
      () => `&lt;${word()}&gt; &nbsp; &#x1F600; &bogus; &#0; a<${word()}`,
      // Unclosed markup.
      () => `**${more()}`,
      () => `${more()}__`,
      () => `[${more()}`,
      () => `\`${word()}`,
      () => `\\*${word()}\\_`,
      () => `😀👨‍👩‍👧‍👦${word()}🇩🇪 \u{D83D}${word()}\u{DE00}`,
      () => `\u{200F}${word()} עברית مرحبا ${word()}\u{202E}\u{200B}`,
      () => `${word()}  \n${word()}\u{0}\u{7}`,
    ])();
  };
  const indented = (text: string, by: string): string => text.split('\n').join(`\n${by}`);
  const cell = (): string =>
    pick([word, () => '', () => `\\|${word()}`, () => `\`${word()}`, () => `\\\\${word()}`])();
  const row = (): string => Array.from({ length: next(6) }, cell).join(pick(['|', ' | ', '||']));
  const block = (depth: number): string => {
    const more = (): string => (depth <= 0 ? inline(2) : block(depth - 1));
    return pick([
      () => inline(3),
      () => `${'#'.repeat(1 + next(6))} ${inline(2)}`,
      () => `- ${indented(more(), '  ')}\n- ${indented(more(), '  ')}`,
      () => `${1 + next(20)}. ${indented(more(), '   ')}\n2. ${inline(1)}`,
      () => `> ${indented(more(), '> ')}`,
      () => `- [ ] ${inline(1)}\n- [x] ${inline(1)}`,
      () => `\`\`\`${pick(['', 'ts', 'c++ x', '"><b>'])}\n${word()}\n  <${word()}>\n\n${word()}\n\`\`\``,
      () => `- ${word()}\n\n  ~~~js\n  ${word()}\n  ~~~\n  ${word()}`,
      () => `\`\`\`\n${word()}`,
      () => `    ${word()}\n    ${word()}`,
      () =>
        `| ${inline(1)} | ${word()} |\n|---|:-:|\n| ${inline(1)} | ${word()} | ${word()} |\n| ${word()} |`,
      () =>
        `| ${inline(1)} | ${word()} ${'x'.repeat(60)} |\n|---|---|\n| ${inline(1)} | ${word()} |\n| ${word()} |`,
      () => `|a|b|\n|-|-|\n${row()}\n${row()}\n${row()}`,
      () => `<details><summary>${word()}</summary>\n\n${inline(2)}\n\n</details>`,
      () => `${inline(1)}\n===\n\n---\n\n[ref]: https://x.y "t"`,
      () => word() + 'x'.repeat(next(5_000)),
      () => Array.from({ length: next(400) }, () => inline(1)).join(' '),
      () => '\u{200B}\u{2060}',
    ])();
  };
  const blocks = Array.from({ length: 1 + next(6) }, () => block(2));
  return { markdown: blocks.join(pick(['\n\n', '\n'])), words, next };
}

const addresses = [
  'https://x.y/a(b)c',
  'http://x/?a=1&b="2"',
  '<http://a b>',
  'HTTPS://Ü.de/ä "title"',
  'tg://user?id=1',
  'javascript:alert(1)',
  'data:image/png;base64,AAA',
  'no address',
  '/relative',
  '',
];
