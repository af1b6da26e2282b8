import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { documentRunner, documents, first, read, timeout } from './run-document.ts';

test.for(first)(
  'in a fresh clone, the commands and files of %s do what it says',
  { timeout },
  documentRunner(),
);

test('every JSON and YAML block of the documents is JSON or YAML', () => {
  for (const document of documents) {
    for (const { language, text, line } of read(document)) {
      const parse = parsers[language as keyof typeof parsers] ?? (() => undefined);
      expect(() => parse(text), `${document}:${line}`).not.toThrow();
    }
  }
});

const parsers = {
  json: (text: string): unknown => JSON.parse(text),
  yaml: (text: string): unknown => load(text),
};

test('a block in a language that no test knows is a mistake', () => {
  const known = ['sh', 'console', 'text', 'json', 'jsonc', 'yaml', 'md', 'ts', 'js', 'templates'];
  const unknown = documents.flatMap((document) =>
    read(document)
      .filter(({ language }) => !known.includes(language))
      .map(({ line, language }) => `${document}:${line} ${language}`),
  );
  expect(unknown).toEqual([]);
});
