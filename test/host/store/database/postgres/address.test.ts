import { expect, test } from 'vitest';
import { nameOfPostgres } from '../../../../../host/store/database/postgres/address.ts';

test.for([
  ['postgres://u:pa:ss^%40@db_1.example:5432/d', 'postgres://u@db_1.example:5432/d'],
  ['postgresql://u@[::1]:5/d?sslmode=verify-full&sslrootcert=/a/b', 'postgres://u@[::1]:5/d'],
  ['postgres:///d?host=/tmp', 'postgres:///tmp/d'],
  ['postgres://u:secret@%2Ftmp/d', 'postgres://u@%2Ftmp/d'],
] as const)('%s is named %s', ([url, name]) => expect(nameOfPostgres(url)).toBe(name));

test.for([
  'postgres://u:12@secret@host/d',
  'postgres://u:12@secret/x@host:5/d',
  'postgres://u:12/secret@host/d',
  'postgres://u:12?secret@host/d',
  'postgres://u:12#secret@host/d',
  'postgres://u:12@host/d?x=secret@y',
  'postgres://u:12@ho{secret/d',
  'mysql://u:secret@host/d',
])('%s is refused, and nothing of it is shown', (url) => {
  expect(() => nameOfPostgres(url)).toThrow(
    expect.objectContaining({ code: 'PEG_CONFIG', message: expect.not.stringMatching(/secret|u:12|host/) }),
  );
});
