import type { Random } from '../../../../kit/data/fuzz.ts';

const listed = (text: string): readonly string[] => text.split('¦');

const plain = listed(`x¦two words¦7¦"quoted"¦'it is'¦true¦http://x/y¦echo {{who}}¦0.5¦./x -y`);
const odd = [
  `¦it's¦say "so"¦''¦""¦'it''s'¦"tab\\t"¦'''¦"a¦a'¦x,y¦a]b¦a}b¦.¦-x¦-1¦+1¦01¦0x1F¦0o17¦0b1¦1e3¦-.5¦.inf¦-.INF¦.nan¦1_000`,
  `1:30¦2026-01-02¦True¦FALSE¦yes¦null¦Null¦~¦-¦--¦---¦...¦- x¦?¦? x¦:x¦999999999999999999¦a: b¦a:b¦a:¦x #c¦x#c¦#c¦a # b: c`,
  `"q" # c¦'q'# c¦"q" x¦x: # c¦"a": b¦[a]: b¦tr a-z A-Z | x¦./run --to=[x]¦$(date)¦(x)¦=1¦<<¦<in¦^x¦\\d+¦;x¦!t x¦{{who}} x`,
  `&a x¦*a¦%x¦@x¦\`x\`¦|¦|-¦>¦>-¦|2¦| # c¦>+¦,x¦[¦]¦{¦}¦[a¦{a}¦grüße¦中文: x¦🔧¦\u00A0x\u00A0¦x\u2028y¦\uFEFFx¦\u0085¦\u007F`,
  `\uD800¦__proto__¦C:\\x¦a\tb¦\tx¦trailing  ¦  leading¦{a: 1, a: 2}¦[a,]¦[,]¦[a: b]¦{a:}¦{a:1}¦[a:]`,
].flatMap(listed);
const oddKeys = listed(
  'a-b¦$ref¦x.y¦true¦Null¦k0¦constructor¦a b¦two  words¦a ¦a - b¦true x¦a #b¦"q"¦<<¦3¦-k¦? k¦é',
);
const blockHeaders = listed('|+¦|2¦| ¦>- # c¦|x¦>1-¦|-+');
const mutations = listed(
  ' ¦\n¦:¦#¦-¦[¦]¦{¦}¦,¦\'¦"¦|¦>¦&¦*¦!¦%¦@¦`¦?¦~¦<¦\t¦\\¦x¦1¦.¦\r\n¦\r¦: ¦ #¦- ¦\n  ¦\n- ¦---\n¦\n\n',
);

/** A text that looks like a manifest's front matter: as people write it, with oddities, or damaged. */
export function yamlCase(random: Random): string {
  const oddness = random.pick([0, 0.02, 0.1, 0.4]);
  const isOdd = (): boolean => random.chance(oddness);
  const between = (least: number, most: number): number => least + random.below(most - least + 1);
  const lines = (from: number, to: number, make: (index: number) => string): string => {
    let index = 0;
    return random.list(from, to, () => make(index++)).join('');
  };

  const map = (indent: number, depth: number): string =>
    lines(1, 5, (index) => {
      const key = isOdd() ? random.pick(oddKeys) : `k${index}`;
      return `${noise()}${' '.repeat(indent)}${key}:${value(indent, depth)}`;
    });

  const list = (indent: number, depth: number): string =>
    lines(1, 4, () => {
      const gap = isOdd() ? between(0, 4) : 1;
      const start = `${noise()}${' '.repeat(indent)}-${' '.repeat(gap)}`;
      if (depth < 4 && random.chance(0.4)) return start + map(indent + 1 + gap, depth).trimStart();
      return `${start}${inline(depth)}${rest()}\n`;
    });

  /** With the space before it, up to and with the end of its last line. */
  const value = (indent: number, depth: number): string => {
    const deeper = indent + (isOdd() ? between(-1, 4) : 2);
    const place = random.below(10);
    if (depth < 4 && place < 2) return `${rest()}\n${map(Math.max(0, deeper), depth + 1)}`;
    if (depth < 4 && place < 4) {
      return `${rest()}\n${list(random.chance(0.3) ? indent : Math.max(0, deeper), depth + 1)}`;
    }
    if (place === 4) return ` ${block(Math.max(0, deeper))}`;
    return `${isOdd() ? random.pick(['', '  ', '\n    ']) : ' '}${inline(depth)}${rest()}\n`;
  };

  const block = (indent: number): string => {
    const header = isOdd() ? random.pick(blockHeaders) : random.pick(['|', '|-', '>', '>-']);
    const text = lines(1, 4, () => {
      if (random.chance(0.1)) return isOdd() ? `${' '.repeat(between(0, 8))}\n` : '\n';
      return `${' '.repeat(Math.max(0, indent + (isOdd() ? between(-2, 2) : 0)))}${scalar()}\n`;
    });
    return `${header}\n${text}`;
  };

  const scalar = (): string => random.pick(isOdd() ? odd : plain);

  const inline = (depth: number): string => {
    if (depth > 5 || random.chance(0.7)) return scalar();
    const gap = random.pick(['', ' ']);
    const items = random.list(0, 3, () => (isOdd() ? `k: ${inline(depth + 1)}` : inline(depth + 1)));
    if (random.chance(0.5)) return `[${gap}${items.join(`,${gap}`)}${gap}]`;
    return `{${gap}${items.map((item, index) => `k${index}: ${item}`).join(', ')}${gap}}`;
  };

  const rest = (): string => (isOdd() ? random.pick([' ', ' # c', '#c', '  # a: b']) : '');
  const noise = (): string =>
    isOdd() ? random.pick(['\n', '# c\n', '   # c\n', '  \n', ' x\n', '---\n']) : '';

  let text = map(0, 0);
  for (let count = random.chance(0.6) ? 0 : between(1, 4); count > 0; count--) {
    const at = random.below(text.length + 1);
    const removed = random.chance(0.4) ? between(1, 3) : 0;
    const added = removed > 0 && random.chance(0.5) ? '' : random.pick(mutations);
    text = text.slice(0, at) + added + text.slice(at + removed);
  }
  return random.chance(0.1) ? text.replaceAll('\n', '\r\n') : text;
}
