/** What ajv and RE2 say of a JSON Schema that can't be compiled, in words for its author. */
export function schemaErrorInWords(message: string): string {
  for (const [pattern, inWords] of known) {
    const found = pattern.exec(message);
    if (found) return inWords(...found.slice(1));
  }
  return message;
}

const known: readonly (readonly [RegExp, (...parts: readonly string[]) => string])[] = [
  [
    /^type must be JSONType or JSONType\[\]: (.*)$/s,
    (type) => `"${type}" is not a type; types are string, number, integer, boolean, array, object, null`,
  ],
  [
    /^(\S+) value must be \["(.*)"\]$/s,
    (keyword, types) => `"${keyword}" must be of type ${types.replaceAll('","', ' or ')}`,
  ],
  [/^can't resolve reference (\S+) from id /s, (reference) => `the reference "${reference}" leads nowhere`],
  [
    /^error parsing regexp: (.*)$/s,
    (why) => `a pattern is not valid (RE2: no look-around or back-references): ${why}`,
  ],
];
