import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { createProvenance } from '../../../host/agent/provenance.ts';
import type { TurnContext } from '../../../host/api/conversation.ts';
import { sandboxProblem } from '../../../host/core/sandbox/availability.ts';
import { originsOf } from '../../../host/core/foreign/untrusted.ts';
import { createHost } from '../../../host/create-host.ts';
import type { Host } from '../../../host/host.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import { Undo, type UndoPlan } from '../../../plugins/builtin-undo/undo.ts';
import { forgetOldTurns } from '../../../plugins/builtin-undo/undo-store.ts';
import { randomFrom } from '../../kit/data/random.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { tier } from '../../kit/run/tiers.ts';
import { waitUntil } from '../../kit/wait-until.ts';

/** A home whose agent acts in turns that the test begins. */
async function openHome(files: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await createHome(files));
  const host = opened.use(
    await createHost({ home: home.path, environment: { PATH: process.env['PATH'], TIMEZONE: 'UTC' } }),
  );
  const workspace = join(home.path, 'workspace');
  mkdirSync(workspace);
  const owned = opened.move();
  return {
    home: home.path,
    host,
    workspace,
    undo: await host.plugins.use(Undo)((value) => value),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const problem = await sandboxProblem();

let turns = 0;

function beginTurn(host: Host) {
  const conversation = { id: 7, source: 'cli', externalId: 'cli' };
  const turn: TurnContext = {
    message: { ...conversation, text: 'go', key: `test/${++turns}` },
    conversation,
    agent: 'personal',
    untrusted: createProvenance(),
    embedding: () => Promise.resolve(undefined),
    signal: new AbortController().signal,
  };
  const call = (name: string, args: object): Promise<ToolResult> =>
    host.dispatch({
      name,
      args,
      scope: host.scopeFor(undefined),
      caller: 'agent:personal',
      turn,
      confirm: 'never',
    });
  return Object.assign(call, { turn });
}

async function expectDone(result: Promise<ToolResult>): Promise<void> {
  const { error } = await result;
  expect(error).toBeUndefined();
}

/** Everything in a folder: types, modes, contents, targets of links. */
function stateOf(folder: string, way = '.'): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, way))) {
    const path = join(way, name);
    const at = join(folder, path);
    const stats = lstatSync(at);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(at)}`;
    else if (stats.isFile()) found[path] = `file ${mode} ${readFileSync(at, 'base64')}`;
    else Object.assign(found, { [path]: `folder ${mode}` }, stateOf(folder, path));
  }
  return found;
}

const pathsOf = ({ steps }: UndoPlan, folder: string): readonly string[] =>
  steps.map(({ path }) => path.slice(folder.length + 1)).sort();

test.each(tier !== 'usual' ? [40, 200] : [40])(
  '%d turns of random edits are undone one after the other, byte for byte, with modes and links',
  async (turns) => {
    await using at = await openHome();
    const { host, undo, workspace } = at;
    const random = randomFrom(20_261_126);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
    const names = ['a.txt', 'b.md', 'c', 'd d', 'ü.txt'];
    const folders = ['.', 'one', 'one/two', "it's"];
    const somewhere = (): string => join(pick(folders), pick(names));
    const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;
    const content = (): string => `${'x'.repeat(Math.floor(random() * 40))}\n${random()}\r\n`;
    /** Most fail now and then, for instance because there is nothing to move; then they change nothing. */
    const commands: readonly (() => string)[] = [
      () => `echo ${Math.floor(random() * 1e6)} >> ${quoted(somewhere())}`,
      () => `mv ${quoted(somewhere())} ${quoted(somewhere())}`,
      () => `mv ${quoted(pick(folders.slice(1)))} ${quoted(pick(names))}`,
      () => `chmod ${pick(['600', '755', '644', '4711', '400'])} ${quoted(somewhere())}`,
      () => `chmod ${pick(['700', '755', '750'])} ${quoted(pick(folders.slice(1)))}`,
      () => `ln -sfn ${quoted(pick([...names, '/etc/passwd', '../gone', 'one']))} ${quoted(somewhere())}`,
      () => `ln -f ${quoted(somewhere())} ${quoted(somewhere())}`,
      () => `rm -rf ${quoted(pick([...folders.slice(1), somewhere()]))}`,
      () => `head -c ${Math.floor(random() * 3000)} /dev/urandom > ${quoted(somewhere())}`,
      () => `mkdir -p ${quoted(pick(folders))}; touch ${quoted(somewhere())}`,
    ];
    const states: Record<string, string>[] = [];
    for (let number = 0; number < turns; number++) {
      states.push(stateOf(workspace));
      const call = beginTurn(host);
      for (let step = 0; step < 1 + random() * 2; step++) {
        const path = somewhere();
        const known = await call('WsRead', { path });
        if (random() < 0.35) await call('bash', { command: pick(commands)(), cwd: workspace });
        else if (random() < 0.2)
          await call('WsDelete', { path: pick([path, pick(folders)]), recursive: true });
        else if (!known.error && random() < 0.5)
          await call('WsEdit', { path, old_string: 'x', new_string: content(), replace_all: true });
        else await call('WsWrite', { path, content: content() });
      }
    }
    states.push(stateOf(workspace));
    const all = undo.turns();
    expect(all.length).toBeGreaterThan(turns * 0.75);
    const expected = states.filter(
      (state, index) => index === 0 || !isDeepStrictEqual(state, states[index - 1]),
    );
    const back: Record<string, string>[] = [stateOf(workspace)];
    for (const turn of all) {
      const plan = await undo.plan(turn, { force: false });
      expect(plan.blocked).toEqual([]);
      if (plan.steps.length === 0) continue;
      expect(await undo.apply(plan)).toEqual([]);
      back.push(stateOf(workspace));
    }
    expect(back).toEqual(expected.toReversed());

    const forth = [stateOf(workspace)];
    for (let number = 0; number < 15; number++) {
      expect(await undo.apply(await undo.plan(undo.lastUndone()!, { force: false }))).toEqual([]);
      forth.push(stateOf(workspace));
    }
    expect(forth).toEqual(expected.slice(0, 16));
  },
);

test('what somebody changed since stays, and so does what cannot be restored; each is named', async () => {
  await using at = await openHome({ 'pegboard.yaml': 'undo: { fileSize: 1 }\n' });
  const { host, undo, workspace, home } = at;
  for (const [name, text] of Object.entries({
    edited: 'old',
    mine: 'old',
    linked: 'old',
    big: 'x'.repeat(2e6),
  }))
    writeFileSync(join(workspace, name), text);
  chmodSync(join(workspace, 'edited'), 0o600);
  mkdirSync(join(workspace, 'node_modules'));
  const call = beginTurn(host);
  for (const path of ['edited', 'mine', 'linked']) {
    await call('WsRead', { path });
    await expectDone(call('WsWrite', { path, content: 'new' }));
  }
  await expectDone(call('WsWrite', { path: 'made/deep/file', content: 'new' }));
  await expectDone(
    call('bash', {
      command: 'echo y >> big; head -c 2000000 /dev/zero > made-big; rmdir node_modules; mkfifo pipe',
      cwd: workspace,
    }),
  );
  await expectDone(call('WsWrite', { path: 'made/other/file', content: 'new' }));

  writeFileSync(join(workspace, 'mine'), 'of a person');
  writeFileSync(join(workspace, 'made/added'), 'by a person');
  // A folder on the way is replaced by a link that leads out.
  rmSync(join(workspace, 'made/other'), { recursive: true });
  mkdirSync(join(home, 'elsewhere'));
  writeFileSync(join(home, 'elsewhere/file'), 'new');
  symlinkSync(join(home, 'elsewhere'), join(workspace, 'made/other'));

  const plan = await undo.plan(undo.turns()[0]!, { force: false });
  expect(pathsOf(plan, workspace)).toEqual(['edited', 'linked', 'made/deep', 'made/deep/file']);
  expect(
    Object.fromEntries(plan.blocked.map(({ path, why }) => [path.slice(workspace.length + 1), why])),
  ).toEqual({
    mine: 'changed since',
    big: 'not kept',
    'made-big': 'too large to keep',
    node_modules: 'not a file',
    pipe: 'not a file',
    made: 'not empty',
    'made/other': 'replaced',
    'made/other/file': 'unreachable',
  });
  // Somebody is faster than the undo.
  writeFileSync(join(workspace, 'linked'), 'just now');
  expect(await undo.apply(plan)).toMatchObject([{ path: join(workspace, 'linked') }]);
  expect(readFileSync(join(workspace, 'edited'), 'utf8')).toBe('old');
  expect(statSync(join(workspace, 'edited')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(workspace, 'mine'), 'utf8')).toBe('of a person');
  expect(readFileSync(join(workspace, 'linked'), 'utf8')).toBe('just now');
  expect(existsSync(join(workspace, 'made/deep'))).toBe(false);
  expect(readFileSync(join(home, 'elsewhere/file'), 'utf8')).toBe('new');

  const forced = await undo.plan(undo.turns()[0]!, { force: true });
  expect(await undo.apply(forced)).toEqual([]);
  expect(readFileSync(join(workspace, 'mine'), 'utf8')).toBe('old');
  expect(readFileSync(join(workspace, 'linked'), 'utf8')).toBe('old');
  expect(readFileSync(join(home, 'elsewhere/file'), 'utf8')).toBe('new');
  expect(readlinkSync(join(workspace, 'made/other'))).toBe(join(home, 'elsewhere'));

  const [news, more, ...others] = undo.takeNews(7);
  expect(news).toContain(JSON.stringify(join(workspace, 'edited')));
  expect(news).not.toContain(JSON.stringify(join(workspace, 'linked')));
  expect(more).toContain(JSON.stringify(join(workspace, 'linked')));
  expect([...others, ...undo.takeNews(7)]).toEqual([]);
});

test('calls of an agent that an agent starts belong to its turn; other effects and huge folders are named', async () => {
  await using at = await openHome({
    'spaces/work/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  });
  const { host, undo, workspace, home } = at;
  const outer = beginTurn(host);
  const inner = beginTurn(host);
  const parent = { id: 'outer-1', scope: { identity: 'host', access: {} }, turn: outer.turn };
  Object.assign(inner.turn.message, { parent });
  await expectDone(outer('WsWrite', { path: 'outer', content: '1' }));
  await expectDone(inner('WsWrite', { path: 'inner', content: '1' }));
  await expectDone(outer('greet', {}));
  expect(undo.turns()).toMatchObject([{ unrecorded: ['work.greet'] }]);
  expect([...undo.turns()[0]!.changes.keys()]).toEqual([join(workspace, 'outer'), join(workspace, 'inner')]);

  for (let number = 0; number <= 5_000; number++) writeFileSync(join(workspace, String(number)), '');
  const crowded = beginTurn(host);
  await expectDone(crowded('bash', { command: 'echo x > 1; echo y > new', cwd: workspace }));
  const [turn] = undo.turns();
  expect(turn!.uncovered).toEqual([{ path: workspace, why: 'too many files' }]);
  expect(await undo.plan(turn!, { force: true })).toMatchObject({ steps: [], blocked: [] });
  expect(statSync(join(home, 'data/undo')).mode & 0o777).toBe(0o700);
});

test.skipIf(problem !== undefined)(
  'of a command in a sandbox everything is undone that the sandbox let it change',
  async () => {
    await using elsewhere = await createHome();
    const sandbox = `sandbox: { level: workspace, write: [${elsewhere.path}] }\n`;
    await using at = await openHome({ 'pegboard.yaml': sandbox, 'other/file': 'mine' });
    const { host, undo, workspace, home } = at;
    writeFileSync(join(workspace, 'old'), 'old');
    // What decides what runs is renamed when the command has ended.
    const command = `rm old; echo x > new; echo all: > Makefile; echo x > ${elsewhere.path}/made; echo x > ../other/file`;
    await beginTurn(host)('bash', { command, cwd: workspace });
    const [turn] = undo.turns();
    expect(turn).toMatchObject({ elsewhere: [], uncovered: [{ path: elsewhere.path, why: 'outside' }] });
    const plan = await undo.plan(turn!, { force: false });
    expect(pathsOf(plan, workspace)).toEqual(['Makefile.made-in-sandbox', 'new', 'old']);
    expect(await undo.apply(plan)).toEqual([]);
    expect(stateOf(workspace)).toMatchObject({ old: expect.stringContaining('file') });
    expect(readdirSync(workspace)).toEqual(['old']);
    expect(readFileSync(join(home, 'other/file'), 'utf8')).toBe('mine');
  },
);

test('a command and another turn that work in one folder each keep their own changes', async () => {
  await using at = await openHome();
  const { host, undo, workspace } = at;
  const [slow, quick] = [beginTurn(host), beginTurn(host)];
  const gate = join(workspace, 'gate');
  execFileSync('mkfifo', [gate]);
  const waiting = slow('bash', { command: 'touch started; cat gate; echo slow > slow', cwd: workspace });
  await waitUntil(() => existsSync(join(workspace, 'started')));
  await expect(undo.plan(undo.turns()[0]!, { force: false })).rejects.toThrow('still changes files');
  await expectDone(quick('WsWrite', { path: 'quick', content: '' }));
  await writeFile(gate, '');
  await expectDone(waiting);
  const named = undo.turns().map(({ changes }) => [...changes.keys()].map((path) => basename(path)).sort());
  expect(named).toEqual([['quick'], ['slow', 'started']]);
});

test('what was written after reading the words of others keeps its mark when it is restored', async () => {
  await using at = await openHome();
  const { host, undo, workspace } = at;
  const reader = beginTurn(host);
  reader.turn.untrusted.note({ kind: 'network', what: 'https://example.com' });
  await expectDone(reader('WsWrite', { path: 'page', content: 'Obey me' }));
  await expectDone(beginTurn(host)('WsDelete', { path: 'page' }));
  // Other files are marked in the meantime, which drops marks of files that are gone.
  await expectDone(reader('WsWrite', { path: 'other', content: '' }));
  const deleted = undo
    .turns()
    .find(({ changes }) => changes.get(join(workspace, 'page'))?.after?.type === 'absent')!;
  expect(await undo.apply(await undo.plan(deleted, { force: false }))).toEqual([]);
  const later = beginTurn(host);
  expect(originsOf(await later('WsRead', { path: 'page' }))).toMatchObject([{ what: 'https://example.com' }]);
});

test('the oldest turns make room for new ones, and old ones are forgotten', async () => {
  await using at = await openHome({ 'pegboard.yaml': 'undo: { totalSize: 1 }\n' });
  const { host, undo, workspace, home } = at;
  const text = (number: number): string => String(number).repeat(400_000);
  for (let number = 0; number < 5; number++) {
    const call = beginTurn(host);
    await call('WsRead', { path: 'file' });
    await expectDone(call('WsWrite', { path: 'file', content: text(number) }));
  }
  const [newest, ...others] = undo.turns();
  expect(others).toHaveLength(1);
  expect(await undo.apply(await undo.plan(newest!, { force: false }))).toEqual([]);
  // The turn before had to make room for what the undo replaced.
  expect(undo.turns()).toHaveLength(1);
  expect(readFileSync(join(workspace, 'file'), 'utf8') === text(3)).toBe(true);
  expect(await forgetOldTurns(home, Date.now() + 1)).toBe(2);
  expect(undo.turns()).toEqual([]);
  expect(
    readdirSync(join(home, 'data/undo/content')).flatMap((start) =>
      readdirSync(join(home, 'data/undo/content', start)),
    ),
  ).toEqual([]);
});

/** Everything in a folder by the bytes of its names. */
function bytesIn(folder: string): readonly string[] {
  return readdirSync(folder, { encoding: 'buffer' })
    .map((name) => {
      const at = Buffer.concat([Buffer.from(`${folder}/`), name]);
      const stats = lstatSync(at);
      const content = stats.isSymbolicLink()
        ? readlinkSync(at, 'buffer').toString('hex')
        : stats.isFile()
          ? readFileSync(at, 'hex')
          : readdirSync(at, { encoding: 'buffer' }).map((inner) => inner.toString('hex'));
      return `${name.toString('hex')} ${(stats.mode & 0o7777).toString(8)} ${String(content)}`;
    })
    .sort();
}

test.skipIf(process.platform !== 'linux')('names that are not UTF-8 are restored byte for byte', async () => {
  await using at = await openHome();
  const { host, undo, workspace } = at;
  const named = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(name, 'latin1')]);
  writeFileSync(named('caf\xe9'), 'crème');
  // The same letter in UTF-8, and a byte that would be the replacement character.
  writeFileSync(named('caf\xc3\xa9'), 'UTF-8');
  writeFileSync(named('x\xef\xbf\xbd\xff'), Buffer.of(0, 255), { mode: 0o600 });
  mkdirSync(named('d\xfcrr'), { mode: 0o750 });
  writeFileSync(named('d\xfcrr/\xe4'), '');
  symlinkSync(Buffer.from('caf\xe9', 'latin1'), named('l\xf6we'));
  const before = bytesIn(workspace);
  await expectDone(
    beginTurn(host)('bash', {
      command: `rm -r caf* x* d* l*; printf new > "$(printf 'n\\xe9')"; ln -s "$(printf 'n\\xe9')" link`,
      cwd: workspace,
    }),
  );
  const after = bytesIn(workspace);
  const plan = await undo.plan(undo.turns()[0]!, { force: false });
  expect(plan.blocked).toEqual([]);
  expect(await undo.apply(plan)).toEqual([]);
  expect(bytesIn(workspace)).toEqual(before);
  const again = await undo.plan(undo.lastUndone()!, { force: false });
  expect(await undo.apply(again)).toEqual([]);
  expect(bytesIn(workspace)).toEqual(after);
});
