import { expect, test } from 'vitest';
import { createHost } from '../../../host/create-host.ts';
import { judgeRead } from '../../../host/core/files/read-boundary.ts';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { textOf } from '../../../host/tools/result.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';

/** In the folder of a tool, which every sandbox shows: temporary folders are hidden otherwise. */
const files = [
  'spaces/work/.env',
  'spaces/work/.env.local',
  'spaces/work/.env.example',
  'spaces/work/notes.md',
  'spaces/work/deep/er/credentials.json',
  'spaces/work/deep/server.key',
  'spaces/work/agent/id_rsa',
  'spaces/work/workspace/.env',
];

test.skipIf((await sandboxProblem()) !== undefined).each(['workspace', 'strict'])(
  'in a sandbox of level %s no file can be read that file tools take for a secret, but in the workspace',
  async (level) => {
    await using home = await createHome({
      ...Object.fromEntries(files.map((file) => [file, `content of ${file}`])),
      'spaces/work/agent/tools/look.md': manifest(
        'look',
        `sandbox: ${level}\nparameters:\n  - name: files\n    type: array\n    description: F\ncommand: for f in {{files}}; do cat "$f" 2>/dev/null; echo; done`,
      ),
    });
    await using host = await createHost({ home: home.path });
    const paths = files.map((file) => `${home.path}/${file}`);
    const request = {
      name: 'look',
      args: { files: paths },
      scope: hostScope,
      caller: 'cli',
      confirm: 'never',
    } as const;
    const shown = textOf(await host.dispatch(request));
    const folders = { home: home.path, userState: '/nowhere', workspaces: [], roots: [] };
    const read = files.filter((file) => shown.includes(`content of ${file}\n`));
    const free = files.filter(
      (file) =>
        file.startsWith('spaces/work/workspace/') ||
        judgeRead(`${home.path}/${file}`, folders).class === 'free',
    );
    expect(read).toEqual(free);
  },
);
