import { describe, expect, test } from 'vitest';
import { toArguments } from '../../../../host/cli/values.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    loud: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    options: { type: 'object' },
    level: { enum: [1, 2] },
    maybe: { type: ['string', 'null'] },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    pointer: { $ref: '#/$defs/size' },
    anything: {},
  },
  required: ['text'],
  $defs: { size: { type: 'integer' } },
};

describe('key=value words become what the schema says they are', () => {
  test.each([
    [['text=5'], { text: '5' }],
    [['text='], { text: '' }],
    [['text=a=b'], { text: 'a=b' }],
    [['text=[1]'], { text: '[1]' }],
    [['count=5'], { count: 5 }],
    [['count=-1'], { count: -1 }],
    [['ratio=2.5e3'], { ratio: 2500 }],
    [['loud=true'], { loud: true }],
    [['loud=No'], { loud: false }],
    [['names=a'], { names: ['a'] }],
    [['names=a', 'names=b'], { names: ['a', 'b'] }],
    [['names=["a", "b"]'], { names: ['a', 'b'] }],
    [['names=a,b'], { names: ['a,b'] }],
    [['sizes=1', 'sizes=2'], { sizes: [1, 2] }],
    [['options={"a": [1]}'], { options: { a: [1] } }],
    [['level=2'], { level: 2 }],
    [['maybe=null'], { maybe: null }],
    [['maybe=x'], { maybe: 'x' }],
    [['either=7'], { either: 7 }],
    [['either=x'], { either: 'x' }],
    [['pointer=7'], { pointer: 7 }],
    [['anything=7'], { anything: 7 }],
    [['anything=x'], { anything: 'x' }],
    [['unknown=true'], { unknown: true }],
  ])('%j', (words, args) => {
    expect(toArguments(words, schema)).toEqual(args);
  });

  test('what is not of its type stays text, so that validation says what was expected', () => {
    expect(toArguments(['count=many', 'loud=perhaps', 'options=[1]'], schema)).toEqual({
      count: 'many',
      loud: 'perhaps',
      options: '[1]',
    });
  });

  test('a word without "=" is refused with the name that was meant', () => {
    expect(() => toArguments(['hello'], schema)).toThrow('Did you mean text=hello?');
    expect(() => toArguments(['--count'], schema)).toThrow('Did you mean count=…?');
  });

  test('a value given twice is refused unless it is a list', () => {
    expect(() => toArguments(['count=1', 'count=2'], schema)).toThrow('count= was given 2 times');
  });
});
