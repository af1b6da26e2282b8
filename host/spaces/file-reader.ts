import type { Diagnostic } from '../api/diagnostic.ts';
import type { JsonSchema } from '../api/result.ts';
import { checkDocument } from '../core/documents/check-document.ts';
import { readDocument, type SourceDocument } from '../core/documents/document.ts';
import type { Boundary } from '../core/files/links.ts';
import { readTextFile, type TextFile } from '../core/files/text-file.ts';
import { keptInService } from '../sources/manifests/files/directory.ts';

/** What could be made of a file. */
export interface ParsedFile<T> {
  /** Undefined: an error keeps it from being used. */
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A file as it is used: as it is now or, when that is broken, as it last was without an error. */
export interface KeptFile<T> extends ParsedFile<T> {
  readonly path: string;
}

interface Known<T> {
  readonly text: string;
  readonly kept: KeptFile<T>;
}

/** Reads files of one kind again and again. What has not changed stays the same object; what is broken stays as it was. */
export interface FileReader<T> {
  /** Undefined: there is no such file. */
  read(path: string): Promise<KeptFile<T> | undefined>;
}

export function createFileReader<T>(
  boundary: Boundary,
  make: (text: string, path: string) => ParsedFile<T> | Promise<ParsedFile<T>>,
): FileReader<T> {
  const known = new Map<string, Known<T>>();
  return {
    async read(path) {
      const file = readTextFile(path, boundary);
      if (file.text === undefined && file.missing) {
        known.delete(path);
        return undefined;
      }
      const before = known.get(path);
      if (file.text !== undefined && before?.text === file.text) return before.kept;
      const found = file.text === undefined ? unreadable(file) : await make(file.text, path);
      const kept = { path, ...keepGood(found, before?.kept.value) };
      // A file that can't be read has no text to compare the next one with.
      if (file.text !== undefined) known.set(path, { text: file.text, kept });
      return kept;
    },
  };
}

const unreadable = ({ diagnostics }: TextFile): ParsedFile<never> => ({ value: undefined, diagnostics });

function keepGood<T>(found: ParsedFile<T>, good: T | undefined): ParsedFile<T> {
  if (found.value !== undefined || good === undefined) return found;
  return { value: good, diagnostics: found.diagnostics.map(keptInService) };
}

/** A YAML or JSON file that has to fit a schema. */
export async function readChecked(
  text: string,
  path: string,
  schema: JsonSchema,
): Promise<ParsedFile<SourceDocument>> {
  const document = readDocument(text, { path, format: path.endsWith('.json') ? 'json' : 'yaml' });
  const diagnostics = [...document.diagnostics];
  if (diagnostics.length === 0) diagnostics.push(...(await checkDocument(document, schema)));
  const broken = diagnostics.some(({ severity }) => severity === 'error');
  return { value: broken ? undefined : document, diagnostics };
}
