import type { ClientFile } from './client-files.ts';

/** The settings of an editor, with comments and trailing commas as they allow them. Throws a SyntaxError with its line. */
export async function parseSettings(text: string, format: ClientFile['format']): Promise<unknown> {
  const plain = text.replace(/^\uFEFF/, '');
  return format === 'toml' ? await parseToml(plain) : await parseJsonc(plain);
}

async function parseJsonc(text: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: import('jsonc-parser').ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (!error) return value;
  const before = text.slice(0, error.offset).split('\n');
  throw new SyntaxError(
    `no valid JSON in line ${before.length}, column ${before.at(-1)!.length + 1} (${printParseErrorCode(error.error)})`,
  );
}

async function parseToml(text: string): Promise<unknown> {
  const { getStaticTOMLValue, parseTOML } = await import('toml-eslint-parser');
  try {
    return getStaticTOMLValue(parseTOML(text));
  } catch (cause) {
    const { lineNumber, message } = cause as { readonly lineNumber?: number; readonly message: string };
    throw new SyntaxError(
      `no valid TOML${lineNumber === undefined ? '' : ` in line ${lineNumber}`} (${message})`,
    );
  }
}
