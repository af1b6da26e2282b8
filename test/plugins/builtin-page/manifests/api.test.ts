import { chmod, mkdir, readdir, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  LintAnswer,
  ManifestDetails,
  ManifestRow,
  SaveAnswer,
  TemplateAnswer,
} from '../../../../plugins/builtin-page/manifests/wire.ts';
import { pegboard } from '../../../kit/cli.ts';
import { manifest } from '../../../kit/homes/home.ts';
import { servePage, type ServedPage } from '../../../kit/web/served-page.ts';

const tools = 'spaces/work/agent/tools';
const greet = `${tools}/greet.md`;
const text = manifest('greet', 'command: echo hello');

let page: ServedPage;
let proven: Awaited<ReturnType<ServedPage['signIn']>>;
beforeAll(async () => {
  page = await servePage({
    'pegboard.yaml': 'spaces: { theirs: { trusted: false } }\n',
    [greet]: text,
    [`${tools}/broken.md`]:
      '---\nid: broken\nname: Broken\ndescription: Has one\ntimout: 5\ncommand: echo\n---\n',
    'spaces/work/agent/skills/tidy.md': '---\nname: tidy\ndescription: Tidies up\n---\n\nDo it.\n',
    'spaces/work/agent/agent.yaml': 'description: Works\nsystem_prompt: Be brief.\n',
    'spaces/theirs/agent/tools/other.md': manifest('other', 'command: echo'),
    'plugins/mine/plugin.yaml': 'id: mine\nversion: 1.0.0\n',
    'secret.txt': 'nobody may see or change this',
    '.env': 'KEY=secret',
  });
  proven = await page.signIn();
  await page.ask('proof', { body: { code: page.code() }, session: proven });
});
afterAll(() => page[Symbol.asyncDispose]());

const open = async (path: string): Promise<ManifestDetails> => (await page.ask(`manifest/${path}`)).body;
const save = (
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly body: SaveAnswer & { error?: { message: string } } }> =>
  page.ask(`manifest/${path}`, { body, session: proven });
const lint = async (path: string, text: string): Promise<LintAnswer> =>
  (await page.ask(`manifest-lint/${path}`, { body: { text } })).body;

test('lists every manifest of the home with what is wrong with it', async () => {
  const { body } = await page.ask('manifests');
  const rows = (body as { readonly manifests: readonly ManifestRow[] }).manifests;
  expect(rows.map(({ path, kind, name }) => [path, kind, name])).toEqual([
    ['plugins/mine/plugin.yaml', 'plugin', 'mine'],
    ['spaces/theirs/agent/tools/other.md', 'tool', 'other'],
    ['spaces/work/agent/agent.yaml', 'agent', 'work'],
    ['spaces/work/agent/skills/tidy.md', 'skill', 'tidy'],
    [`${tools}/broken.md`, 'tool', 'broken'],
    [greet, 'tool', 'work.greet'],
  ]);
  expect(rows.find(({ name }) => name === 'broken')).toMatchObject({ errors: 1 });
});

test('a text is judged as `pegboard lint` judges it, with places, and shown as models would see it', async () => {
  const wrong = text.replace('command: echo hello', 'timout: 5\ncommand: echo {{who}}');
  const { diagnostics, shown } = await lint(greet, wrong);
  await page.home.write(`${tools}/lint-me.md`, wrong);
  const { stdout } = await pegboard(['lint', join(page.home.path, `${tools}/lint-me.md`), '--json'], {
    home: page.home.path,
  });
  const told = (
    JSON.parse(stdout) as { diagnostics: { code: string; line: number; column: number; message: string }[] }
  ).diagnostics;
  const brief = (all: readonly { code: string; message: string; line?: number; column?: number }[]) =>
    all.map(({ code, message, line, column }) => ({ code, message, line, column }));
  expect(brief(diagnostics)).toEqual(brief(told));
  expect(diagnostics.length).toBeGreaterThan(0);
  expect(shown).toEqual([]);
  await rm(join(page.home.path, `${tools}/lint-me.md`));
  const right = await lint(
    greet,
    manifest('greet', 'parameters: [{ name: who, type: string, description: Whom }]\ncommand: echo {{who}}'),
  );
  expect(right.diagnostics).toEqual([]);
  expect(right.shown).toMatchObject([
    { name: 'greet', parameters: { properties: { who: { type: 'string' } } } },
  ]);
  const skill = await lint(
    'spaces/work/agent/skills/tidy.md',
    '---\nname: tidy\ndescription: Tidies\n---\n\nNow.\n',
  );
  expect(skill).toMatchObject({
    diagnostics: [],
    shown: [{ name: 'tidy', description: 'Tidies', text: 'Now.' }],
  });
  const agent = await lint('spaces/work/agent/agent.yaml', 'description: Writes\nrol: worker\n');
  expect(agent).toMatchObject({ diagnostics: [{ code: 'unknown-key', line: 2, column: 1 }], shown: [] });
});

test('saving needs a code, writes what was typed, and the tool is there at once', async () => {
  const { stored, service } = await open(greet);
  expect({ stored, service }).toMatchObject({ stored: { text }, service: { name: 'work.greet' } });
  const changed = manifest('greet', 'command: echo hello again', '\nWith ünïcode 🦊.\n');
  const body = { text: changed, base: stored!.hash };
  const refused = await page.ask(`manifest/${greet}`, { body });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'PROOF_NEEDED' } } });
  expect(await page.home.read(greet)).toBe(text);
  await chmod(join(page.home.path, greet), 0o640);
  expect(await save(greet, body)).toMatchObject({
    status: 200,
    body: {
      saved: true,
      now: { stored: { text: changed }, service: { name: 'work.greet', diagnostics: [] } },
    },
  });
  expect(await page.home.read(greet)).toBe(changed);
  expect((await stat(join(page.home.path, greet))).mode & 0o777).toBe(0o640);
  expect(page.host.registry.snapshot.find('work.greet')!.command).toBe('echo hello again');
  expect((await readdir(join(page.home.path, tools))).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a broken text is saved, and the last good version stays in service', async () => {
  const { stored } = await open(greet);
  const { body } = await save(greet, { text: '---\nid: greet\n---\n', base: stored!.hash });
  expect(body).toMatchObject({
    saved: true,
    now: {
      service: {
        name: 'work.greet',
        diagnostics: expect.arrayContaining([
          expect.objectContaining({
            message: expect.stringContaining('the last good version stays in service'),
          }),
        ]),
      },
    },
  });
  expect(page.host.registry.snapshot.find('work.greet')!.command).toBe('echo hello again');
});

test('what has changed on disk is not overwritten, and shown', async () => {
  const { stored } = await open(greet);
  const theirs = manifest('greet', 'command: echo theirs');
  await page.home.write(greet, theirs);
  const { body } = await save(greet, { text, base: stored!.hash });
  expect(body).toMatchObject({ saved: false, stored: { text: theirs } });
  expect(await page.home.read(greet)).toBe(theirs);
  // Of many at once, one is written.
  const base = (await open(greet)).stored!.hash;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      save(greet, { text: manifest('greet', `command: echo ${at}`), base }),
    ),
  );
  expect(answers.filter(({ body: { saved } }) => saved)).toHaveLength(1);
  await rm(join(page.home.path, greet));
  expect((await save(greet, { text, base })).body).toEqual({ saved: false });
  expect((await save(greet, { text, base: null })).body).toMatchObject({ saved: true });
  expect((await save(greet, { text: theirs, base: null })).body).toMatchObject({
    saved: false,
    stored: { text },
  });
  const { body: diff } = await page.ask('manifest-diff', { body: { before: text, after: theirs } });
  expect(diff).toMatchObject({ diff: expect.stringContaining('+command: echo theirs') });
});

test('a template is what `pegboard new` writes, and its first save makes the file', async () => {
  for (const kind of ['tool', 'agent', 'skill']) {
    const { body } = await page.ask(`template?kind=${kind}&name=first-one&space=fresh`);
    const template = body as TemplateAnswer;
    expect(await page.home.read(template.path).catch(() => 'none')).toBe('none');
    expect(await open(template.path)).toMatchObject({ kind, service: { diagnostics: [] } });
    expect((await save(template.path, { text: template.text, base: null })).body).toMatchObject({
      saved: true,
    });
    await pegboard(['new', kind, 'first-one', '--space', 'other'], { home: page.home.path });
    const written = await page.home.read(template.path.replace('fresh', 'other'));
    expect(written.replaceAll('    other:', '    fresh:')).toBe(template.text);
  }
  expect(page.host.registry.snapshot.find('fresh.first-one')).toBeDefined();
  for (const query of [
    'kind=tool&name=../../x',
    'kind=constructor&name=x',
    'kind=tool&name=x&space=..',
    'kind=plugin&name=x',
  ])
    expect((await page.ask(`template?${query}`)).status).toBe(422);
});

test('nothing but manifests of the home can be read or written, however a path is written', async () => {
  const outside = join(page.home.path, '..', 'outside.md');
  for (const path of [
    'secret.txt',
    '.env',
    'pegboard.yaml',
    'data/pegboard.db',
    '..%2Foutside.md',
    'spaces/work/agent/tools/..%2F..%2F..%2F..%2Fsecret.txt',
    'spaces/work/agent/tools/%2E%2E/%2E%2E/x.md',
    'spaces%2Fwork%2Fagent%2Ftools%2F..%2F..%2F..%2F..%2Fsecret.txt',
    encodeURIComponent(outside),
    'spaces/work/agent/tools/code.ts',
    'spaces/work/agent/tools/.hidden.md',
    'spaces/work/agent/tools/README.md',
    'spaces/work/agent/tools/x.md%00.ts',
    'spaces/work/workspace/x.md',
    'spaces/__proto__/agent/tools/x.md',
    'C:%5Cx.md',
  ]) {
    expect((await page.ask(`manifest/${path}`)).status, path).toBe(422);
    expect((await save(path, { text: 'x', base: null })).status, path).toBe(422);
  }
  expect(await page.home.read('secret.txt')).toBe('nobody may see or change this');
});

test('no link is followed when something is saved', async () => {
  const at = (path: string): string => join(page.home.path, path);
  await mkdir(at('elsewhere'), { recursive: true });
  await page.home.write('elsewhere/linked.md', text);
  await symlink(at('elsewhere/linked.md'), at(`${tools}/linked.md`));
  await symlink(at('elsewhere'), at(`${tools}/folder`));
  await mkdir(at('spaces/hollow/agent'), { recursive: true });
  await symlink(at('elsewhere'), at('spaces/hollow/agent/tools'));
  for (const path of [
    `${tools}/linked.md`,
    `${tools}/folder/linked.md`,
    'spaces/hollow/agent/tools/linked.md',
  ]) {
    const { locked, stored } = await open(path);
    expect(locked, path).toContain('link');
    expect((await save(path, { text: 'x', base: stored?.hash ?? null })).status, path).toBe(422);
  }
  expect((await save('spaces/hollow/agent/tools/new-one.md', { text: 'x', base: null })).status).toBe(422);
  expect(await readdir(at('elsewhere'))).toEqual(['linked.md']);
  expect(await page.home.read('elsewhere/linked.md')).toBe(text);
});

test('what others write, and what belongs to a plugin, is shown and not changed', async () => {
  for (const path of ['spaces/theirs/agent/tools/other.md', 'plugins/mine/plugin.yaml']) {
    const { locked, stored } = await open(path);
    expect(locked).toBeDefined();
    const before = await page.home.read(path);
    expect(await save(path, { text: 'x', base: stored!.hash })).toMatchObject({
      status: 422,
      body: { error: { code: 'PEG_DENIED' } },
    });
    expect(await page.home.read(path)).toBe(before);
  }
});

test('texts that no manifest can have are refused, and hostile ones are only texts', async () => {
  const { stored } = await open(greet);
  const base = stored!.hash;
  for (const bad of ['x'.repeat(1_100_000), 'half \uD800', 'nul \0', 5, null])
    expect((await save(greet, { text: bad, base })).status).toBe(422);
  for (const body of [{ text }, { text, base: 7 }, { base }, { text, base: 'constructor' }])
    expect((await save(greet, body)).body).not.toMatchObject({ saved: true });
  expect((await save(greet, { text: 'x'.repeat(17 * 1024 * 1024), base })).status).toBe(413);
  const hostile = [
    '---\n'.repeat(20_000),
    `a: ${'['.repeat(20_000)}`,
    `---\n${'a: &a [*a]\n'.repeat(500)}---`,
    '\u202E',
    '---\n{__proto__: 1}\n---',
  ];
  for (const one of hostile) {
    const { diagnostics } = await lint(greet, one);
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.length).toBeLessThanOrEqual(200);
  }
  expect((await save(greet, { text: 'a \u202E b', base })).body).toMatchObject({
    saved: true,
    now: { stored: { text: 'a \u202E b' } },
  });
});
