import { expect, test } from 'vitest';
import { mayHoldSecrets } from '../../../../host/core/files/read-boundary.ts';
import { secretInText } from '../../../../host/core/secrets/secret-in-text.ts';

// In pieces, so that no scanner takes them for real ones.
const begin = '-----BEGIN ';
const generated = ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYq3Zt2LmX9vKd'].join('/');

test.each([
  [`${begin}OPENSSH PRIVATE KEY-----\nb3Bl\n`, 'a private key'],
  [`notes\n${begin}PRIVATE KEY-----\n`, 'a private key'],
  [`id: ${['AKIA', 'IOSFODNN7EXAMPLF'].join('')}\n`, 'a key of AWS'],
  [`see ghp_${'a1B2c3'.repeat(6)}.`, 'a token of GitHub'],
  [`# of my own\nAWS_SECRET_ACCESS_KEY=${generated}\n`, 'a value for AWS_SECRET_ACCESS_KEY'],
  [`[default]\r\naws_secret_access_key = ${generated}\r\n`, 'a value for aws_secret_access_key'],
  [`{\n  "apiToken": "${generated}",\n}`, 'a value for apiToken'],
  ['DB_PASSWORD=hunter22\n', 'a value for DB_PASSWORD'],
])('%j holds %s', (text, found) => {
  expect(secretInText(text)).toBe(found);
});

test.each([
  '# Keys\n\nSet `API_KEY=…` and run `ssh-keygen`.\n',
  `${begin}CERTIFICATE-----\nMIIB\n${begin}PUBLIC KEY-----\n`,
  'const token = readToken();\nconst password = process.env.PASSWORD;\n',
  'API_KEY=${API_KEY}\nPASSWORD=changeme\nTOKEN_TYPE=personal\n',
  '"password": "string",\nsecretName: my-secret\n',
  'A story about a secret: nobody knew it.\n',
])('%j holds none', (text) => {
  expect(secretInText(text)).toBeUndefined();
});

test('names of files that usually hold secrets are known, and others left alone', () => {
  const secret = ['.env', '.env.local', 'prod.env', 'prod.env.local', '.envrc', 'id_ed25519', 'server.key'];
  const more = ['passwords.txt', 'client_secret_1.json', 'prod.tfvars', 'kubeconfig', 'credential.json'];
  const harmless = [
    '.env.example',
    'prod.env.sample',
    'environment.ts',
    'env.d.ts',
    'keyboard.md',
    'id_rsa.pub',
  ];
  expect([...secret, ...more].filter((name) => !mayHoldSecrets(`/a/${name}`))).toEqual([]);
  expect([...harmless, 'secrets.ts', 'tokens.json'].filter((name) => mayHoldSecrets(`/a/${name}`))).toEqual(
    [],
  );
});
