import { expect, test } from 'vitest';
import { findHidden, stripHidden } from '../../../../host/core/foreign/hidden-characters.ts';

test.each([
  ['zero-width space', 'a\u200Bb', 'hidden-character', 'U+200B'],
  ['text direction override', 'a\u202Eb', 'hidden-character', 'U+202E'],
  ['tags that spell a message', 'a\u{E0068}\u{E0069}', 'hidden-character', 'U+E0068'],
  ['a joiner between letters', 'a\u200Db', 'hidden-character', 'U+200D'],
  ['a variation selector after a letter', 'a\uFE0Fb', 'hidden-character', 'U+FE0F'],
  ['soft hyphen', 'a\u00ADb', 'hidden-character', 'U+00AD'],
  ['a colour sequence', 'a\u001B[31mb', 'ansi-escape', 'U+001B'],
  ['a bell', 'a\u0007b', 'control-character', 'U+0007'],
  ['C1 controls', 'a\u009Bb', 'control-character', 'U+009B'],
  ['a lone carriage return', 'a\rb', 'lone-cr', 'U+000D'],
])('%s is found with its position, and stripped', (_what, text, code, name) => {
  const found = findHidden(text);
  expect(found).toMatchObject({ index: 1, code });
  expect(found?.name).toContain(name);
  expect(findHidden(stripHidden(text))).toBeUndefined();
});

test.each([
  ['line ends and tabs', 'a\r\n\tb\n'],
  ['accents and other scripts', 'é ü 日本語 Привет'],
  ['emoji with joiners and selectors', '👩‍💻 ❤️ 🏳️‍🌈 1️⃣ ™️'],
  ['joiners where a script needs them', 'می‌خواهم क्‍ष'],
])('%s are left alone', (_what, text) => {
  expect(findHidden(text)).toBeUndefined();
  expect(stripHidden(text)).toBe(text);
});
