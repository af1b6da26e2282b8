import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../host/core/secrets/redact.ts';
import {
  isPasswordPair,
  isSecretName,
  isSecretPairName,
  isSecretParameter,
} from '../../../../host/core/secrets/secret-names.ts';

const secret = 'hunter2/with+signs?"q" & ä\u{1F511}';
const redactor = createRedactor();
redactor.add('KEY', secret);
redactor.add(
  'PEM',
  `-----BEGIN-----\n${'Zm9vYmFyYmF6'.repeat(6)}\n${'cXV4cXV1eGNv'.repeat(6)}\n-----END-----`,
);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const everyByte = (prefix: string): string =>
  Buffer.from(secret).toString('hex').replaceAll(/../g, `${prefix}$&`);
const unicode = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const ways: { readonly [way: string]: string } = {
  'as it is': secret,
  'in base64': base64(secret),
  'in base64, from the second byte': base64(`a${secret}`),
  'in base64, from the third byte': base64(`ab${secret}`),
  'in base64url': Buffer.from(secret).toString('base64url'),
  'in base64 in lines': base64(`${'x'.repeat(47)}${secret}${'y'.repeat(60)}`).replaceAll(/.{64}/g, '$&\r\n'),
  'in base64 in a URL': encodeURIComponent(base64(secret)),
  'in hex': Buffer.from(secret).toString('hex'),
  'in capital hex': Buffer.from(secret).toString('hex').toUpperCase(),
  'in a URL': encodeURIComponent(secret),
  'in a URL, every byte': everyByte('%'),
  'in a URL, with small digits and plus signs': encodeURIComponent(secret)
    .toLowerCase()
    .replaceAll('%20', '+'),
  'in a URL, in part': secret.replace('u', '%75').replace('/', '%2f'),
  'in JSON': JSON.stringify({ secret }),
  'in JSON in JSON': JSON.stringify(JSON.stringify({ secret })),
  'in JSON with escaped slashes': JSON.stringify({ secret }).replaceAll('/', '\\/'),
  'in ASCII JSON': unicode(secret),
  'in ASCII JSON in JSON': JSON.stringify(unicode(secret)),
  'in ASCII JSON, in part': secret.replace('u', '\\u0075').replace('ä', '\\u00E4'),
  'in a C string': secret.replace('u', '\\x75').replaceAll('"', '\\"'),
  'in HTML': secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'in HTML, by numbers': Array.from(secret, (one) => `&#${one.codePointAt(0)!};`).join(''),
  'one of its lines': `see cXV4cXV1eGNv${'cXV4cXV1eGNv'.repeat(5)}`,
};

describe('a known secret is found', () => {
  test.each(Object.entries(ways))('%s', (_way, text) => {
    const shown = redactor.text(`before ${text} after`);
    expect(shown).toMatch(/\[secret (?:KEY|PEM)\]/);
    expect(shown).not.toContain(text);
  });

  test.each(Object.entries(ways).filter(([way]) => !/lines/.test(way)))(
    '%s, however its text is cut into pieces',
    (_way, text) => {
      for (const size of [1, 2, 7]) {
        const stream = redactor.stream();
        const said = [...(`before ${text} after`.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])]
          .map((piece) => stream.add(piece))
          .concat(stream.end())
          .join('');
        // The semicolon of a last entity may come too late to belong to it.
        expect(said.replace('];', ']')).toBe(redactor.text(`before ${text} after`));
      }
    },
  );
});

test('a stream says at once what can be no secret, and what it held back when it ends', () => {
  const stream = redactor.stream();
  expect(stream.add('Hello ')).toBe('Hello ');
  expect(stream.add('to all hun')).toBe('to all ');
  expect(stream.add('ters')).toBe('hunters');
  expect([stream.add('hunter2'), stream.end()]).toEqual(['', 'hunter2']);
});

test('a message does not say the first half of a secret whose second half may follow', () => {
  expect(redactor.message('the key is hunter2/wi')).toBe('the key is [secret]');
  expect(redactor.message('the key is hun')).toBe('the key is hun');
});

test('an image or a file with a secret in it is left out, any other stays the very same', () => {
  const clean = { type: 'image', mimeType: 'image/png', data: base64('PNG nothing') } as const;
  const dirty = { ...clean, data: base64(`PNG ${secret}`) } as const;
  const file = { type: 'resource', resource: { uri: 'a://b', blob: base64(`PDF ${secret}`) } } as const;
  const note = '[left out: it holds the secret KEY]';
  expect(redactor.value([clean, dirty, file])).toEqual([
    clean,
    { type: 'text', text: note },
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: note } },
  ]);
  const value = { content: [clean], nested: { text: 'nothing' } };
  expect(redactor.value(value)).toBe(value);
});

test('names tell secrets from other variables and parameters', () => {
  const names = ['API_KEY', 'GITHUB_TOKEN', 'dbPassword', 'client_secret', 'Authorization', 'X-Api-Key'];
  expect(names.filter((name) => !isSecretName(name))).toEqual([]);
  const others = ['PATH', 'PWD', 'MAX_TOKENS', 'KEYBOARD', 'SSH_AUTH_SOCK', 'PUBLIC_KEY', 'KEY'];
  expect(others.filter(isSecretName)).toEqual([]);
  expect(
    ['password', 'newPassword', 'api_key', 'accessToken'].filter((name) => !isSecretParameter(name)),
  ).toEqual([]);
  expect(['key', 'token', 'pageToken', 'name', 'passwordHint'].filter(isSecretParameter)).toEqual([]);
  expect(
    ['pwd', 'user_pass', 'dbPwd', 'api_pw', 'PIN', 'otp', 'pin_code', 'adminpass', 'pass2'].filter(
      (name) => !isPasswordPair(name),
    ),
  ).toEqual([]);
  const free = ['compass', 'bypass', 'spin', 'pinned', 'country_code', 'passenger', 'input', 'password_hint'];
  expect(free.filter(isPasswordPair)).toEqual([]);
  expect(
    ['key', 'token', 'csrf_token', 'sig', 'X-Amz-Signature'].filter((name) => !isSecretPairName(name)),
  ).toEqual([]);
  expect(['pageToken', 'sort_key', 'max_tokens', 'author', 'id'].filter(isSecretPairName)).toEqual([]);
});

test('a secret of any length is found, and keeps no other from being found', () => {
  const long = createRedactor();
  const value = Array.from({ length: 200_000 }, (_, at) => at.toString(36)).join('-');
  long.add('LONG', value);
  long.add('KEY', secret);
  expect(long.text(`a ${value} b ${secret}`)).toBe('a [secret LONG] b [secret KEY]');
});
