import type { Random } from './fuzz.ts';

const texts = [
  '',
  '\u0000',
  '\uD800',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '\u001B[2J',
  '\u202Eevil',
  'a'.repeat(70_000),
  '${HOME}',
  '"; drop table',
];
const scalars = [null, true, false, 0, -1, 1e308, -0, 2 ** 53, 0.1];

/** Any JSON value. */
export function anyJson(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 2 : 5);
  if (kind === 0) return random.pick(scalars);
  if (kind === 1) return random.pick(texts);
  if (kind === 2) return random.list(0, 4, () => anyJson(random, depth + 1));
  if (kind === 3) return nested(random.below(400));
  return Object.fromEntries(random.list(0, 4, () => [random.pick(texts), anyJson(random, depth + 1)]));
}

/** Nested lists. */
function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

/** The value with a random part replaced, removed, duplicated or added. */
export function mutated(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object' || random.chance(0.15)) return anyJson(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, anyJson(random)];
    const at = random.below(value.length);
    return value.map((item: unknown, index) => (index === at ? mutated(item, random) : item));
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.15))
    return Object.fromEntries([...entries, [random.pick(texts), anyJson(random)]]);
  const at = random.below(entries.length);
  if (random.chance(0.2)) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([key, item], index) => [key, index === at ? mutated(item, random) : item]),
  );
}
