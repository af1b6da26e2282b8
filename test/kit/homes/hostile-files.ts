import type { Random } from '../data/fuzz.ts';

const listed = (text: string): readonly string[] => text.split('¦');
const ends = ['\n', '\r\n', '\r', '\u0085', '\u2028', '\n\n\n', '\t', ' '];
const tokens = listed(
  `---¦...¦- ¦? ¦: ¦#¦ #¦&a ¦*a¦!!js ¦%YAML 1.1¦<<: ¦|¦>-¦"¦'¦{¦}¦[¦]¦,¦{{x}}¦{{#if x}}¦{{/if}}¦{{{¦\${HOME}¦\`¦$(¦<<EOF¦\\¦__proto__: ¦constructor: ¦toString: ¦yes¦null¦~¦-1¦1e999¦.inf¦0x1F¦\u200B¦\u202E¦\u001B[2J¦\uFEFF¦\0¦🔧¦é¦../..¦"\\u0000"¦"\\ud800"¦~1¦/¦%2f¦#/$defs/x¦(?=a)¦(a+)+$¦command: ¦inputSchema: ¦parameters: ¦tools: ¦mcpServers: `,
);
const nests = ['[', '{"a":', '- ', '{a: ', '{{#if x}}', '[[', "'", '"\\', '$(', ' '];

/** A damaged version of such a file: bytes that may not even be text. */
export function damaged(text: string, random: Random): Buffer {
  let damagedText = text;
  for (let left = random.below(6); left > 0; left--) damagedText = damage(damagedText, random);
  return encoded(damagedText, random);
}

function damage(text: string, random: Random): string {
  const from = random.below(text.length + 1);
  const to = Math.min(text.length, from + random.below(random.pick([2, 8, 200, 4_000])));
  const with_ = (piece: string): string => text.slice(0, from) + piece + text.slice(to);
  switch (random.below(8)) {
    case 0:
      return with_('');
    case 1:
      return with_(random.pick(tokens));
    case 2:
      return with_(random.pick(ends) + random.pick(tokens));
    case 3:
      return with_(random.pick(nests).repeat(random.pick([2, 70, 1_000, 5_000])));
    case 4:
      return with_(text.slice(from, to).repeat(random.pick([2, 20])));
    case 5:
      return with_(`${'k'.repeat(random.pick([100, 20_000]))}: `);
    case 6: {
      // Lines reordered or repeated.
      const lines = text.split('\n');
      const line = lines.splice(random.below(lines.length), 1)[0]!;
      lines.splice(random.below(lines.length + 1), 0, line, ...(random.chance(0.3) ? [line] : []));
      return lines.join('\n');
    }
    default:
      return text.slice(0, from);
  }
}

function encoded(text: string, random: Random): Buffer {
  switch (random.below(12)) {
    case 0:
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 1:
      return Buffer.from(text, 'utf16le').swap16();
    case 2:
      return Buffer.from(text, 'latin1');
    case 3:
      return Buffer.from(`\uFEFF${text}`);
    case 4:
      return Buffer.from(text.replaceAll('\n', '\r\n'));
    case 5: {
      const bytes = Buffer.from(text);
      if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
    }
    case 6:
      return Buffer.from(random.list(0, 300, () => random.below(256)));
    default:
      return Buffer.from(text);
  }
}
