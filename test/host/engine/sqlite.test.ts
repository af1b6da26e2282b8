import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { engineSuite } from '../../kit/engine/suite.ts';

describe('the engine on SQLite', () => {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'pegboard-engine-'));
  afterAll(() => folder.remove());
  let databases = 0;
  engineSuite(() => Promise.resolve(join(folder.path, `${++databases}.db`)));
});
