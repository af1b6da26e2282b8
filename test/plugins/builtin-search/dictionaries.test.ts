import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  dictionaries,
  dictionaryOf,
  type Language,
} from '../../../plugins/builtin-search/ranking/languages/dictionary.ts';
import { translate } from '../../../plugins/builtin-search/ranking/languages/translate.ts';

const folder = join(import.meta.dirname, '../../../plugins/builtin-search/ranking/languages/words');
const languages = Object.keys(dictionaries) as Language[];
const sections = ['actions', 'things', 'ownTools'] as const;
const fields = ['language', 'script', 'spaces', 'lettersPerCharacter', 'prefixes', 'ordinary', ...sections];

test('each file of words is one of the languages', () => {
  expect(languages.map((language) => `${language}.json`).toSorted()).toEqual(readdirSync(folder).toSorted());
});

describe.each(languages)('%s', (language) => {
  const dictionary = dictionaryOf(language);

  test('has nothing but what a dictionary has', () => {
    expect(Object.keys(dictionary).filter((field) => !fields.includes(field))).toEqual([]);
    expect(dictionary.language).toMatch(/^[A-Z][a-z]+$/);
    expect(dictionary.ordinary.join(' ').split(' ').length).toBeGreaterThan(50);
  });

  test.each(sections)('has words for %s that are in German too, and none twice', (section) => {
    const own = Object.keys(dictionary[section]);
    expect(own.filter((key) => !(key in dictionaries.de[section]))).toEqual([]);
    const separator = section === 'ownTools' ? ', ' : ' ';
    for (const key of own) {
      const forms = dictionary[section][key]!.split(separator);
      expect(forms, key).toEqual(forms.map((form) => form.trim()).filter((form) => form !== ''));
      expect(new Set(forms).size, key).toBe(forms.length);
    }
  });

  test('is recognized by its script', () => {
    const { script, ordinary } = dictionary;
    if (script === undefined) return;
    const words = ordinary.join(' ').split(' ');
    const pattern = new RegExp(script, 'u');
    expect(words.filter((word) => !pattern.test(word)).length / words.length).toBeLessThan(0.1);
  });
});

test.each([
  ['addiere zwei Zahlen', ['add', 'number']],
  ['additionne deux nombres', ['add', 'number']],
  ['suma dos números', ['add', 'number']],
  ['soma dois números', ['add', 'number']],
  ['somma due numeri', ['add', 'number']],
  ['сложи два числа', ['add', 'number']],
  ['两个数字相加', ['number', 'add']],
  ['二つの数を足して', ['number', 'add']],
  ['두 숫자를 더해 줘', ['number', 'add']],
  ['اجمع رقمين', ['add', 'number']],
  ['天気予報', ['weather', 'forecast']],
  ['天气预报', ['weather', 'forecast']],
])('"%s" is about %j', (request, words) => {
  const forms = translate(request, () => false)!.words.map((word) => word.forms);
  for (const word of words) expect(forms.some((some) => some.includes(word))).toBe(true);
});

test('a word that begins like another one is not that one', () => {
  const named = (request: string) => translate(request, () => true)!.tools;
  expect(named('liste les fichiers du dossier')).toEqual(['listdir']);
  expect(named('lis le fichier')).toContain('read');
});
