import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller, createMcpLab, fixture } from '../../../../kit/mcp/mcp-source.ts';

/** A server that was connected once, and its cached list. */
async function remembered() {
  const lab = await createMcpLab();
  const open = (config = fixture('echoes')) => lab.open('echoes', config);
  const source = open();
  await source.connect();
  await source[Symbol.asyncDispose]!();
  return {
    lab,
    open,
    file: join(lab.data, 'catalogue/echoes.json'),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

test('what a server offers is kept for this user alone, in one whole file', async () => {
  await using at = await remembered();
  expect((await stat(at.file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(at.lab.data, 'catalogue'))).toEqual(['echoes.json']);
  expect(JSON.parse(await readFile(at.file, 'utf8'))).toMatchObject({
    transport: 'stdio',
    era: { kind: 'legacy' },
    tools: [{ name: 'echo' }],
  });
});

test.each([
  ['half-written', '{"identity":"abc","tools":[{"na'],
  ['empty', ''],
  ['of another shape', '{"tools":{}}'],
  ['no JSON at all', '\u0000\u0001'],
])('a file that is %s is ignored and rewritten', async (_, text) => {
  await using at = await remembered();
  const good = await readFile(at.file, 'utf8');
  await writeFile(at.file, text);
  const source = at.open();
  expect(source.status()).toMatchObject({ state: 'idle', tools: 0 });
  await source.connect();
  await source[Symbol.asyncDispose]!();
  expect((await readFile(at.file, 'utf8')).length).toBe(good.length);
});

test('what was learned from another command is not believed', async () => {
  await using at = await remembered();
  expect(at.open().status().tools).toBe(1);
  expect(at.open(fixture('odd-results')).status().tools).toBe(0);
});

test('a folder that can not be written to costs nothing but the memory, and is reported', async () => {
  await using lab = await createMcpLab();
  await writeFile(join(lab.data, 'catalogue'), 'a file where a folder belongs');
  await mkdir(join(lab.data, 'pins'));
  await chmod(join(lab.data, 'pins'), 0o500);
  const source = lab.open('echoes', fixture('echoes'));
  await source.connect();
  expect((await source.callTool('echo', { text: 'x' }, caller())).content).toHaveLength(1);
  await lab.logged(({ message }) => message === 'its state could not be written');
  const { diagnostics } = await source.list();
  expect(diagnostics).toMatchObject([{ code: 'mcp-not-saved', severity: 'warning' }]);
});

test('a listing before the first connection loads no protocol library', async () => {
  await using at = await remembered();
  const program = `
    import { createMcpSource } from ${JSON.stringify(join(import.meta.dirname, '../../../../../host/sources/mcp/source.ts'))};
    import { openPinStore } from ${JSON.stringify(join(import.meta.dirname, '../../../../../host/sources/mcp/approval/pin-store.ts'))};
    import { silentLogger } from ${JSON.stringify(join(import.meta.dirname, '../../../../../host/core/log.ts'))};
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const config = ${JSON.stringify(at.open().config)};
    const deps = { home: '/', data: ${JSON.stringify(at.lab.data)}, pins: openPinStore(${JSON.stringify(join(at.lab.data, 'pins'))}), surroundings: {}, resolve() {}, redactor: { add() {} }, log: silentLogger, version: '0' };
    const { tools } = await createMcpSource('echoes', config, deps).list();
    console.log(JSON.stringify({ tools: tools.length, sdk: process.moduleLoadList.length > 0 && loaded.some((url) => url.includes('modelcontextprotocol')) }));
  `;
  const file = join(at.lab.data, 'list.ts');
  await writeFile(file, program);
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(JSON.parse(stdout)).toEqual({ tools: 1, sdk: false });
});
