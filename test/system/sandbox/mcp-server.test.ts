import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { textOf } from '../../../host/tools/result.ts';
import { caller, createMcpLab, fixture, npmServer } from '../../kit/mcp/mcp-source.ts';

const problem = await sandboxProblem();
/** Where Node and the server are, which on some machines is below /tmp. */
const read = [dirname(process.execPath), join(import.meta.dirname, '../../..')];

describe.skipIf(problem !== undefined)(
  'a server from npm that may use every file, where bubblewrap works',
  () => {
    test('writes, when confined, in its own folder alone, and not what decides what runs', async () => {
      await using lab = await createMcpLab();
      const outside = await mkdtemp(join(homedir(), '.pegboard-test-'));
      await using opened = new AsyncDisposableStack();
      opened.defer(() => rm(outside, { recursive: true }));
      const open = async (name: string, sandbox: 'off' | 'workspace') => {
        const source = lab.open(name, { ...npmServer('filesystem', '/'), sandbox: { level: sandbox, read } });
        await source.connect();
        return async (path: string): Promise<string> =>
          textOf(await source.callTool('write_file', { path, content: 'x' }, caller()));
      };
      const write = await open('confined', 'workspace');
      const own = join(lab.data, 'data/servers/confined');
      expect(await write(join(own, 'mine.txt'))).toMatch(/Successfully wrote/);
      expect(await write(join(lab.data, 'mine.txt'))).toMatch(/EROFS/);
      expect(await write(join(lab.data, 'node_modules/evil.js'))).toMatch(/EROFS|ENOENT|does not exist/);
      expect(await write(join(outside, 'evil.txt'))).toMatch(/EROFS|ENOENT|does not exist/);
      expect(await write(join(lab.data, '.mcp.json'))).toMatch(/EROFS|EBUSY|EACCES/);
      expect(await readdir(own)).toEqual(['mine.txt']);
      expect(await readdir(outside)).toEqual([]);

      const free = await open('free', 'off');
      expect(await free(join(outside, 'evil.txt'))).toMatch(/Successfully wrote/);
    });
  },
);

test.skipIf(problem !== undefined).each(['memory', 'processes'])(
  'a server that takes too much %s is ended with all its processes, reports why, and restarts',
  async (what) => {
    await using lab = await createMcpLab();
    const sandbox = { level: 'workspace', read, memory: 300, processes: 20 } as const;
    const source = lab.open('greedy', { ...fixture('takes-more'), sandbox });
    const call = (text: string) => source.callTool('echo', { text }, caller());
    expect(textOf(await call('hello'))).toBe('hello');
    await expect(call(what)).rejects.toThrow(
      what === 'memory'
        ? /stopped with all its processes: it took [\d,]+ MB of memory, and 300 MB is the limit/
        : /stopped with all its processes: it ran \d+ processes at once, and 20 is the limit/,
    );
    await expect.poll(() => lab.processes().length).toBeLessThan(10);
    expect(textOf(await call('hello again'))).toBe('hello again');
  },
);
