import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Secret values by name; none may be readable anywhere outside. */
export type Canaries = { readonly [name: string]: string };

/**
 * The names of those that can be read from a text, also after removing one or two encodings: URL, JSON, HTML, base64 at
 * any offset, hex, and line breaks in between. Knows nothing of how Pegboard looks for them.
 */
export function canariesIn(text: string, canaries: Canaries): string[] {
  const once = decodings(text);
  const texts = new Set([...once, ...once.flatMap(decodings)]);
  const folded = [...texts].map((one) => one.replaceAll(/\s+/g, ''));
  return Object.entries(canaries)
    .filter(([, value]) => {
      const plain = value.replaceAll(/\s+/g, '');
      const encoded = encodings(value);
      return folded.some((one) => one.includes(plain) || encoded.some((code) => one.includes(code)));
    })
    .map(([name]) => name);
}

/** Of every file under `folder`, "file: canary" for each that can be read; `except` are paths in it. */
export function canariesInFiles(
  folder: string,
  canaries: Canaries,
  except: readonly string[] = [],
): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !except.some((one) => path === one || path.startsWith(`${one}/`)))
    .filter((path) => statSync(join(folder, path)).isFile())
    .flatMap((path) => {
      const bytes = readFileSync(join(folder, path));
      const found = canariesIn(bytes.toString('utf8'), canaries);
      return found.map((name) => `${path}: ${name}`);
    });
}

function decodings(text: string): string[] {
  return [
    text,
    text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()),
    text
      .replaceAll(/\\+u([0-9a-fA-F]{4})|\\+x([0-9a-fA-F]{2})/g, (_, four?: string, two?: string) =>
        String.fromCharCode(parseInt(four ?? two!, 16)),
      )
      .replaceAll(/\\+(["/\\])/g, '$1'),
    text
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  ];
}

function encodings(value: string): string[] {
  const hex = Buffer.from(value).toString('hex');
  const base64 = [0, 1, 2].flatMap((offset) => {
    // Only whole groups of three bytes: the others also depend on adjacent bytes.
    const bytes = Buffer.from(value).subarray((3 - offset) % 3);
    const code = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return [code, code.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [hex, hex.toUpperCase(), ...base64];
}
