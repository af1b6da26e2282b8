/** Comments, quoted text, names and numbers, which may contain what looks like a placeholder. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|(?<place>\?\d*|[:@$][\w$\u0080-\uffff]+(?:::[\w$\u0080-\uffff]+)*)|[\w$\u0080-\uffff]+|[^]/g;

/**
 * The placeholders of a statement that SQLite has compiled, in SQLite's order: the name of each as written (":name"),
 * or undefined for "?", "?2" and skipped numbers.
 */
export function placeholdersOf(sql: string): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (const { groups } of sql.matchAll(token)) {
    const place = groups?.['place'];
    if (place === undefined) continue;
    const number = Number(place.slice(1));
    if (place === '?') names.push(undefined);
    else if (place.startsWith('?')) while (names.length < number) names.push(undefined);
    else if (!names.includes(place)) names.push(place);
  }
  return names;
}

/** The parameters of a statement: named values, and the other values in order. */
export interface Bound<Value> {
  readonly named: { readonly [place: string]: Value };
  readonly others: readonly Value[];
}

/**
 * Values in the order of their placeholders. Returns a message when there are too few or too many, because SQLite uses
 * NULL for missing ones.
 */
export function bind<Value>(sql: string, values: readonly Value[]): Bound<Value> | string {
  const places = placeholdersOf(sql);
  if (places.length !== values.length) {
    const how = places.length > values.length ? 'missing' : 'too many';
    const difference = Math.abs(places.length - values.length);
    return `it has ${count(places.length, 'place')} for values, and params has ${count(values.length, 'value')}: ${difference} ${how}`;
  }
  const named: Record<string, Value> = {};
  const others: Value[] = [];
  places.forEach((name, at) => {
    if (name === undefined) others.push(values[at]!);
    else named[name] = values[at]!;
  });
  return { named, others };
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
