import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { packageEntry, pegboard } from '../../../kit/cli.ts';
import { createHome, createUnknownHome, manifest } from '../../../kit/homes/home.ts';

/** A tool that runs where its caller works, and one that doesn't. */
const files = {
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  'spaces/s/agent/tools/here.md': manifest(
    'here',
    'parameters: [{ name: file, type: string, required: true }]\ncommand: "pwd && cat -- {{file}}"\ncwd: caller',
  ),
  'spaces/s/agent/tools/there.md': manifest('there', 'command: pwd'),
};

test('a tool with "cwd: caller" runs where the person stands, and paths are relative to that', async () => {
  await using home = await createHome(files);
  await using project = await createUnknownHome({ 'src/notes.txt': 'of the project\n' });
  await mkdir(join(project.path, '.git'));
  const cwd = await realpath(join(project.path, 'src'));
  const run = (...args: readonly string[]) => pegboard(args, { home: home.path, cwd });

  expect(await run('call', 'here', 'file=notes.txt')).toMatchObject({
    code: 0,
    stdout: `${cwd}\nof the project\n`,
  });
  expect((await run('call', 'there')).stdout).toBe(`${await realpath(home.path)}/spaces/s\n`);

  // File tools take the person's paths too, in the whole project and in no other folder.
  expect((await run('call', 'read', 'path=notes.txt')).stdout).toBe('of the project\n');
  expect((await run('call', 'glob', 'pattern=*.txt', 'path=..')).stdout).toContain('No file');
  expect((await run('call', 'glob', 'pattern=*')).stdout).toBe('notes.txt\n');
  expect((await run('call', 'bash', 'command=pwd', '--yes')).stdout).toBe(`${cwd}\n`);
  const outside = await run('call', 'read', 'path=../../other.txt');
  expect([outside.code, outside.stderr]).toEqual([3, expect.stringContaining('outside the folders')]);

  // Within the home nothing changes.
  const inHome = await pegboard(['call', 'read', 'path=spaces/s/space.manifest.json'], {
    home: home.path,
    cwd: join(home.path, 'spaces'),
  });
  expect(inHome.code).toBe(0);
});

test('over MCP it runs in the only root of the client, and nowhere else', async () => {
  await using home = await createHome(files);
  await using folder = await createUnknownHome({ 'notes.txt': 'of the client\n' });
  const path = await realpath(folder.path);
  await writeFile(join(path, 'file'), '');

  const callFrom = async (roots: readonly string[] | undefined): Promise<string> => {
    const client = new Client({ name: 'rooted', version: '1' }, { capabilities: roots ? { roots: {} } : {} });
    if (roots)
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [packageEntry(), '--home', home.path, 'serve', '--stdio'],
        env: { PATH: process.env['PATH']!, XDG_STATE_HOME: process.env['XDG_STATE_HOME']! },
        stderr: 'ignore',
      }),
    );
    try {
      const { content } = await client.callTool({ name: 'here', arguments: { file: 'notes.txt' } });
      return (content as readonly { readonly text: string }[])[0]!.text;
    } finally {
      await client.close();
    }
  };
  const root = pathToFileURL(path).href;
  expect(await callFrom([root])).toBe(`${path}\nof the client\n`);
  expect(await callFrom([root, `${root}/more`])).toContain('works in 2 folders, and it has to be one');
  expect(await callFrom([`${root}/file`])).toContain('is not a folder on this machine');
  expect(await callFrom(undefined)).toContain("doesn't say in which folder it works");
});
