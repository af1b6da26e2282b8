/** Strings, which are kept, or comments and commas before a closing bracket, which are not. */
const skipped = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g;

/** JSON as editors' settings have it: with comments and trailing commas. Throws a SyntaxError. */
export function parseJsonc(text: string): unknown {
  const withoutComments = text.replace(/^\uFEFF/, '').replace(skipped, keepString);
  // A comment may have stood between a comma and its bracket.
  return JSON.parse(withoutComments.replace(skipped, keepString));
}

const keepString = (found: string): string => (found.startsWith('"') ? found : '');
