import { statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { openProbeHome, type ProbeHome } from './probes.ts';

let prober: ProbeHome;
beforeAll(async () => {
  prober = await openProbeHome();
});
afterAll(() => prober[Symbol.asyncDispose]());

const problem = await sandboxProblem();
const manifestOf = (sandbox: unknown): { readonly [file: string]: string } => ({
  'spaces/prober/space.manifest.json': JSON.stringify({ id: 'prober', sandbox }),
});

/** At every place that decides what runs, and outside the workspace. */
const all = [
  'pegboard.yaml',
  '.mcp.json',
  'plugins/evil/plugin.yaml',
  'spaces/prober/agent/tools/probe.yaml',
  'spaces/prober/agent/tools/more.txt',
  'spaces/prober/agent/moved.txt',
  'spaces/prober/agents/evil.yaml',
  'spaces/prober/.git/hooks/pre-commit',
  'spaces/prober/hooks/check.sh',
  'spaces/prober/notes.txt',
  'node_modules/evil/index.js',
  'outside/new.txt',
  'outside/by-symlink.txt',
  // Only within one file system, and temporary files may have one of their own.
  ...(statSync(homedir()).dev === statSync(tmpdir()).dev ? ['outside/by-hard-link.txt'] : []),
  'outside/doomed.txt',
];
const inWorkspace = ['out.txt', 'link', 'hard'].map((name) => `spaces/prober/workspace/${name}`);
const isOurs = (file: string): boolean => !inWorkspace.includes(file) && !file.includes('.made-in-sandbox');

test('without a sandbox a command may do all of it: what the others are compared with', async () => {
  const { sees, changed } = await prober.probe('sandbox: off');
  expect(changed.filter(isOurs).sort()).toEqual([...all].sort());
  expect(sees).toHaveLength(process.getuid!() === 0 ? 8 : 7);
  for (const file of ['plugins', 'spaces/prober/agents', '.mcp.json', 'spaces/prober/agent', 'node_modules'])
    await rm(join(prober.home.path, file), { recursive: true });
});

// Without bubblewrap nothing can be confined: then only the refusal below is tested.
describe.skipIf(problem !== undefined)('where bubblewrap works', () => {
  test('in a workspace it writes there alone, and sees no secrets, no network and no other process', async () => {
    const { sees, changed } = await prober.probe('sandbox: workspace');
    expect(changed.filter(isOurs)).toEqual([]);
    expect(changed).toContain('spaces/prober/workspace/out.txt');
    // The user's own files are not visible when their folder is in /tmp.
    expect(sees.filter((what) => what !== 'read a file of the person')).toEqual(['read /etc/passwd']);
  });

  test('when strict it writes nowhere, and sees nothing of the person', async () => {
    expect(await prober.probe('sandbox: strict')).toEqual({ sees: ['read /etc/passwd'], changed: [] });
    const { changed } = await prober.probe('sandbox: { level: strict, write: [workspace/build, build] }');
    expect(changed).toEqual([]);
    expect(await readdir(join(prober.home.path, 'spaces/prober/workspace'))).toContain('build');
    expect(await readdir(join(prober.home.path, 'spaces/prober'))).not.toContain('build');
  });

  test('the network is there when all who confine it say so', async () => {
    const reach = async (sandbox: string, list?: string): Promise<boolean> => {
      const config = list === undefined ? '' : `sandbox: { level: workspace, network: ${list} }\n`;
      const { sees } = await prober.probe(sandbox, { 'pegboard.yaml': config });
      return sees.includes('reach a port of this machine');
    };
    expect(await reach('sandbox: { level: workspace, network: true }')).toBe(true);
    expect(await reach('', '[prober.*]')).toBe(true);
    expect(await reach('', '[other.*]')).toBe(false);
    expect(await reach('sandbox: workspace', 'true')).toBe(false);
  });

  test('its space confines it too, and a tool cannot take that back', async () => {
    const strict = await prober.probe('sandbox: off', manifestOf('strict'));
    expect(strict).toEqual({ sees: ['read /etc/passwd'], changed: [] });
    const wide = await prober.probe('sandbox: { level: workspace, write: [/] }', manifestOf('workspace'));
    expect(wide.changed.filter(isOurs)).toEqual([]);
  });

  test('what it may write to beyond its workspace, tools and configuration stay as they are', async () => {
    const { changed } = await prober.probe('sandbox: { level: workspace, write: [~/outside, ../..] }');
    const reached = ['by-symlink', 'doomed', 'new'].map((name) => `outside/${name}.txt`);
    expect(changed.filter(isOurs).sort()).toEqual(reached);
  });
});

test('where there is no bubblewrap it does not run, and the message says what to do', async () => {
  const failed = prober.probe('sandbox: workspace', {}, { PATH: '/nowhere' });
  await expect(failed).rejects.toThrow(
    /^probe was not run: it must run in a sandbox \(sandbox: workspace\), and .*(not installed here \(apt install bubblewrap|only on Linux)/,
  );
});
