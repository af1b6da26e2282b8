import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draftName } from '../../../../host/core/files/draft.ts';
import { thisProcess } from '../../../../host/core/processes/owner.ts';
import { startPegboard } from '../../../kit/cli.ts';
import { createUnusedHome } from '../../../kit/homes/home.ts';

/** No process is ever given this number. */
const dead = `${hostname()}/4194305/1`;
const deadDraft = `.pegboard-${encodeURIComponent(dead)}-0123456789ab.tmp`;
const uuid = '36eb28fb-8739-4d29-be06-ce6ff1913c49';

test('pegboard start removes what processes left unfinished when they were killed, and nothing else', async () => {
  const left = {
    [deadDraft]: 'half a no',
    [`data/mcp/catalogue/${deadDraft}`]: '{ "hal',
    [`spaces/s/workspace/deep/${deadDraft}`]: '',
    'data/state.json.lock': dead,
    [`data/secrets/secrets.json.lock.${uuid}`]: dead,
    'data/backups/daily-2026-01-01.db.unfinished': 'half a copy',
  };
  const kept = {
    [draftName()]: 'being written',
    [`data/secrets/secrets.json.lock`]: thisProcess,
    'composer.json.lock': dead,
    'notes.tmp': 'mine',
    [`node_modules/x/${deadDraft}`]: 'of somebody else',
  };
  await using home = await createUnusedHome({ ...left, ...kept, 'data/pegboard.db': '' });
  await using running = startPegboard(['start'], { home: home.path });
  await running.waitFor(/running/);
  const thereOf = (files: object): string[] =>
    Object.keys(files).filter((file) => existsSync(join(home.path, file)));
  await expect.poll(() => thereOf(left)).toEqual([]);
  expect(thereOf(kept)).toEqual(Object.keys(kept));
});
