import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { describeOrigins } from '../../../../host/dispatch/describe-origins.ts';
import { createFileOrigins } from '../../../../host/store/files/file-origins.ts';
import { createUnusedHome } from '../../../kit/homes/home.ts';

test('a copy of foreign content names its file as well as its origin', async () => {
  await using home = await createUnusedHome({ 'data/keep': '' });
  const outside = { kind: 'file', what: '/elsewhere/notes.txt' } as const;
  const copy = await home.write('spaces/x/made.txt', 'x');
  const files = createFileOrigins(home.path, processSurroundings());
  await files.note(copy, outside);
  const found = files.within(join(home.path, 'spaces/x'))!;
  expect(describeOrigins([found])).toBe('file /elsewhere/notes.txt, kept in spaces/x/made.txt');
  expect(files.namedIn('cat made.txt')).toEqual(found);

  // A copy of the copy, and one that was moved.
  const second = await home.write('spaces/x/second.txt', 'x');
  await files.note(second, found);
  expect(files.of(second)).toEqual({ ...outside, keptIn: 'spaces/x/second.txt' });
  await rename(second, join(home.path, 'moved.txt'));
  expect(files.of(join(home.path, 'moved.txt'))).toEqual({ ...outside, keptIn: 'moved.txt' });
});
