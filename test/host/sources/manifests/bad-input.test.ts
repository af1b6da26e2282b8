import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifestFile } from '../../../../host/sources/manifests/read-manifest.ts';
import { createManifestDirectory } from '../../../../host/sources/manifests/files/directory.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { manifestContext } from '../../../kit/homes/manifest-context.ts';
import { expectLinear } from '../../../kit/growth.ts';

/** A manifest whose line 5 and what follows is `rest`. */
const head = '---\nid: a\nname: A\ndescription: D\n';
const withRest = (rest: string): string => `${head}${rest}\n---\n`;
const withParameters = (parameters: string): string =>
  withRest(`command: echo {{x}}\nparameters:\n${parameters}`);

async function read(content: string | Uint8Array, name = 'a.md') {
  await using home = await createHome();
  const path = await home.write(`spaces/s/agent/tools/${name}`, content);
  await home.write('spaces/s/run.ts', 'export const run = () => 1;\n');
  return readManifestFile(path, join(home.path, 'spaces/s'));
}

/** "line:column code", and the hint if there is one. */
async function problemsOf(content: string | Uint8Array, name?: string): Promise<string[]> {
  const { diagnostics, manifest } = await read(content, name);
  if (diagnostics.some(({ severity }) => severity === 'error')) expect(manifest).toBeUndefined();
  return diagnostics.map(({ line, column, code, hint }) =>
    [line === undefined ? code : `${line}:${column} ${code}`, ...(hint === undefined ? [] : [hint])].join(
      ' | ',
    ),
  );
}

const utf16 = Buffer.from(`\uFEFF${withRest('command: ls')}`, 'utf16le');
const latin1 = Buffer.from(withRest('command: ls').replace('name: A', 'name: Caf\u00E9'), 'latin1');
const quoteIt = 'put it in quotes';

describe('a file', () => {
  test.each<[string, string | Uint8Array, string]>([
    [
      'is empty',
      '',
      '1:1 no-front-matter | begin with ---, then id, name, description and command, then ---',
    ],
    ['is larger than 1 MiB', `${withRest('command: ls')}${'x'.repeat(1_048_577)}`, 'file-too-large'],
    [
      'has more than 32 KiB of front matter',
      withRest(`command: ls\ncategory: ${'x'.repeat(33_000)}`),
      '1:1 front-matter-too-large | move the documentation below the closing ---',
    ],
    ['is UTF-16', utf16, '1:1 not-utf8 | save it as UTF-8'],
    ['is Latin-1', latin1, '3:10 not-utf8 | save it as UTF-8'],
    ['is binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff, 0x00, 0x01]), '1:5 not-utf8 | save it as UTF-8'],
    ['holds a NUL', withRest('command: "l\0s"'), '5:12 nul-byte'],
    [
      'has old Macintosh line ends',
      withRest('command: ls').replaceAll('\n', '\r'),
      '1:4 lone-cr | save the file with LF or CRLF line ends',
    ],
    [
      'hides a character',
      withRest('command: l\u200Bs'),
      '5:11 hidden-character | delete it, or write what it stands for',
    ],
    [
      'hides a character in its documentation',
      `${withRest('command: ls')}\nx\u202E`,
      '8:2 hidden-character | delete it, or write what it stands for',
    ],
    [
      'colours a terminal',
      withRest('command: "\u001B[31m"'),
      '5:11 ansi-escape | delete it, or write what it stands for',
    ],
    [
      'has no front matter',
      '# Deploy\n',
      '1:1 no-front-matter | begin with ---, then id, name, description and command, then ---',
    ],
    [
      'never closes it',
      `${head}command: ls\n`,
      '1:1 front-matter-not-closed | put --- on a line of its own after the last key',
    ],
    [
      'is indented by tabs',
      withRest('environment:\n\tA: b\ncommand: ls'),
      '6:1 tab-indentation | indent with two spaces',
    ],
    ['has a key twice', withRest('command: ls\nname: B'), '6:1 duplicate-key | keep one of them'],
    [
      'holds an alias bomb',
      withRest(`tags: &a [x, x]\naliases: [*a, *a, *a, *a]\ncommand: ls`),
      '5:7 yaml-anchor | write the value out, or put text that begins with & in quotes',
    ],
    ['has a merge key', withRest('<<: { command: ls }'), '5:1 yaml-merge-key | write the keys out'],
    [
      'has a tag',
      withRest('command: !!str ls'),
      '5:10 yaml-tag | leave the tag out, or put text that begins with ! in quotes',
    ],
    ['sets __proto__', withRest('command: ls\n__proto__: { x: 1 }'), '6:1 forbidden-key'],
    ['is no YAML', withRest('command: "ls'), '5:10 yaml-syntax | close the quotes that this text opens'],
    ['is a list', '---\n- a\n---\n', '2:1 wrong-type'],
  ])('that %s gets a clear message', async (_what, content, expected) => {
    const [problem] = await problemsOf(content);
    expect(problem).toBe(expected);
  });

  test('with a byte-order mark or Windows line ends is read', async () => {
    const { manifest, diagnostics } = await read(`\uFEFF${withRest('command: ls').replaceAll('\n', '\r\n')}`);
    expect(diagnostics).toEqual([]);
    expect(manifest?.written).toMatchObject({ id: 'a', description: 'D' });
  });

  test('with a second document is refused', async () => {
    expect(await problemsOf('id: a\nname: A\ndescription: D\ncommand: ls\n---\nid: b\n', 'a.yaml')).toEqual([
      '5:1 second-document | put it into a file of its own',
    ]);
  });

  test('of a quarter of a mebibyte of documents is refused as fast as it is read', async () => {
    // With four times as many, collecting their garbage takes more than twice its share.
    await expectLinear(async (count) => {
      expect(await problemsOf('---\n'.repeat(count), 'a.yaml')).toEqual([
        `${count}:1 second-document | put it into a file of its own`,
      ]);
    }, 16_000);
  });

  test('that is unreadable, a folder, a pipe or missing is reported as such', async () => {
    await using home = await createHome();
    const root = home.path;
    await mkdir(join(root, 'folder.md'));
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    await symlink('loop.md', join(root, 'loop.md'));
    const message = async (name: string) =>
      (await readManifestFile(join(root, name), root)).diagnostics[0]?.message;
    expect(await message('folder.md')).toBe('the file cannot be read: it is not a regular file');
    expect(await message('pipe.md')).toBe('the file cannot be read: it is not a regular file');
    expect(await message('loop.md')).toBe('the symbolic link leads back to itself');
    expect(await message('gone.md')).toBe('the file does not exist');
    if (process.getuid?.() !== 0) {
      await chmod(await home.write('secret.md', 'x'), 0);
      expect(await message('secret.md')).toBe('the file may not be read (permission denied)');
    }
  });
});

describe('a manifest', () => {
  test.each([
    ['./circle.ts', 'a link that leads in a circle'],
    [`./${'long'.repeat(100)}.ts`, 'a name that no file system takes'],
    ['./gone.ts', 'nothing'],
  ])('whose function is in %s is reported, and its neighbour works', async (file) => {
    await using home = await createHome({
      't/a.yaml': `id: a\nname: A\ndescription: D\nhandler: ${file}#run\n`,
      't/b.yaml': 'id: b\nname: B\ndescription: D\ncommand: ls\n',
    });
    const folder = join(home.path, 't');
    await symlink('circle.ts', join(folder, 'circle.ts'));
    const context = manifestContext();
    const source = createManifestDirectory({
      folder,
      root: folder,
      module: 't',
      kind: 'manifest',
      description: 'Tools of the test',
      context,
    });
    const { tools, diagnostics } = await source.list();
    expect(tools.map(({ name }) => name)).toEqual(['b']);
    expect(diagnostics).toMatchObject([{ code: 'missing-file', path: join(folder, 'a.yaml'), line: 4 }]);
  });

  test.each<[string, string, string[]]>([
    ['misspells a key', withRest('command: ls\ntimout: 5'), ['6:1 unknown-key | timout → timeout?']],
    [
      'misspells a nested key',
      withParameters('  - name: x\n    type: string\n    requierd: true'),
      ['9:5 unknown-key | requierd → required?'],
    ],
    [
      'misspells a type',
      withParameters('  - name: x\n    type: strng'),
      ['8:11 not-allowed | strng → string?'],
    ],
    ['has no id', '---\nname: A\ndescription: D\ncommand: ls\n---\n', ['2:1 missing-key']],
    [
      'has an id that is no kebab-case',
      withRest('command: ls').replace('id: a', 'id: My_Tool'),
      ['2:5 wrong-format | My_Tool → my-tool?'],
    ],
    [
      'confirms with yes',
      withRest('command: ls\nconfirm: yes'),
      ['6:10 wrong-type | write true without quotes'],
    ],
    [
      'gives a version as a number',
      withRest('command: ls').replace('name: A', 'name: 1.10'),
      ['3:7 wrong-type | put it in quotes: "1.10"'],
    ],
    ['gives a number as text', withRest('command: ls\ntimeout: 10s'), ['6:10 wrong-type | write 10']],
    ['has a time limit of nothing', withRest('command: ls\ntimeout: 0'), ['6:10 out-of-range']],
    ['has a time limit of more than a day', withRest('command: ls\ntimeout: 86401'), ['6:10 out-of-range']],
    [
      'names a level of the sandbox that there is not',
      withRest('command: ls\nsandbox: workspce'),
      ['6:10 not-allowed | workspce → workspace?'],
    ],
    [
      'misspells a key of its sandbox',
      withRest('command: ls\nsandbox: { level: strict, netwrk: true }'),
      ['6:27 unknown-key | netwrk → network?'],
    ],
    ['has a number as its sandbox', withRest('command: ls\nsandbox: 5'), ['6:10 not-allowed']],
    ['does nothing', withRest('icon: x'), ['2:1 no-action | add command: "…"']],
    [
      'does two things',
      withRest('command: ls\nhandler: ./a.ts#b'),
      ['6:1 several-actions | delete one of them'],
    ],
    ['names no server', withRest('mcp: true'), ['5:1 missing-key']],
    ['names a server without mcp', withRest('command: ls\nserver: x'), ['6:1 missing-key | add mcp: true']],
    [
      'begins its command with a mustache',
      withRest('command: {{x}} y'),
      ["5:10 unquoted-mustache | put it in quotes: command: '{{x}} y'"],
    ],
    [
      'has its command cut short by a comment',
      withRest('command: echo a # b'),
      ['5:17 cut-by-comment | put the command in quotes, or the comment on a line of its own'],
    ],
    [
      'has a number sign in its description',
      withRest('command: ls').replace('tion: D', 'tion: Fixes #3'),
      ['4:20 cut-by-comment | put the text in quotes'],
    ],
    [
      'names a parameter that it does not declare',
      withRest('command: echo {{who}}'),
      ['5:17 unknown-parameter'],
    ],
    [
      'lets a value become a program',
      withRest('command: |\n  echo a\n  sh -c {{x}}\nparameters: [{ name: x, type: string }]'),
      ['7:9 value-is-code'],
    ],
    [
      'uses a helper that there is not',
      withRest('command: "echo {{upper x}}"\nparameters: [{ name: x, type: string }]'),
      ['5:16 unknown-helper'],
    ],
    [
      'has a default of another type',
      withParameters('  - name: x\n    type: string\n    default: 1.10'),
      [`9:14 bad-default | ${quoteIt}`],
    ],
    [
      'has a default outside its enum',
      withParameters('  - name: x\n    type: string\n    enum: [a, b]\n    default: c'),
      ['10:14 bad-default'],
    ],
    [
      'has a default that its pattern refuses',
      withParameters('  - name: x\n    type: string\n    pattern: ^a+$\n    default: b'),
      ['10:14 bad-default'],
    ],
    [
      'has an enum of another type',
      withParameters('  - name: x\n    type: string\n    enum: [1.0, 2.0]'),
      [`9:12 bad-enum | ${quoteIt}`],
    ],
    [
      'has a parameter twice',
      withParameters('  - { name: x, type: string }\n  - { name: x, type: number }'),
      ['8:13 duplicate-parameter'],
    ],
    [
      'calls a parameter this',
      withParameters('  - { name: x, type: string }\n  - { name: this, type: number }'),
      ['8:13 reserved-name'],
    ],
    [
      'limits a text by numbers',
      withParameters('  - { name: x, type: string, minimum: 1 }'),
      ['7:39 misplaced-key'],
    ],
    [
      'has a pattern with look-around',
      withParameters('  - name: x\n    type: string\n    pattern: (?=a)b'),
      ['9:14 bad-pattern | patterns are RE2: write it without (?= (?! (?<= (?<! and \\1'],
    ],
    [
      'has a pattern that is none',
      withParameters('  - name: x\n    type: string\n    pattern: "(a"'),
      ['9:14 bad-pattern'],
    ],
    [
      'describes its arguments twice',
      withRest('command: ls\nparameters: []\ninputSchema: { type: object }'),
      ['7:1 several-schemas'],
    ],
    [
      'has a schema of another root',
      withRest('command: ls\ninputSchema: { type: string }'),
      ['6:14 bad-schema'],
    ],
    [
      'has a schema with an unknown type',
      withRest('command: ls\ninputSchema: { type: object, properties: { a: { type: strng } } }'),
      ['6:55 bad-schema'],
    ],
    [
      'has a schema that allows no value',
      withRest('command: ls\ninputSchema: { type: object, properties: { a: { enum: [] } } }'),
      ['6:55 bad-schema | name the values, or leave out "enum"'],
    ],
    [
      'has a schema that leads elsewhere',
      withRest('command: ls\ninputSchema:\n  type: object\n  properties:\n    a: { $ref: "http://x/y" }'),
      ['9:16 bad-schema | put the other schema into $defs and refer to "#/$defs/…"'],
    ],
    [
      'sets PATH',
      withRest('command: ls\nenvironment: { PATH: /tmp }'),
      ['6:16 steering-variable | set it inside a script that the command starts'],
    ],
    ['sets what is no variable', withRest('command: ls\nenvironment: { A-B: c }'), ['6:16 bad-variable']],
    ['runs outside the space', withRest('command: ls\ncwd: ../other'), ['6:6 outside-space']],
    ['has a function in a file that is not there', withRest('handler: ./gone.ts#run'), ['5:10 missing-file']],
    ['has a function outside the space', withRest('handler: ./../../../x.ts#run'), ['5:10 outside-space']],
    ['has a function without a name', withRest('handler: ./run.ts'), ['5:10 wrong-format']],
    [
      'sets for a server what only commands heed',
      withRest('mcp: true\nserver: x\ncwd: sub'),
      ['7:1 unused-key'],
    ],
  ])('that %s is reported at its place', async (_what, content, expected) => {
    expect(await problemsOf(content)).toEqual(expected);
  });

  test('that runs in a folder which is a link out of the space is refused', async () => {
    await using home = await createHome({ 'secret/x': '' });
    const root = join(home.path, 'spaces/s');
    const path = await home.write('spaces/s/agent/tools/a.md', withRest('command: ls\ncwd: out'));
    await symlink(join(home.path, 'secret'), join(root, 'out'));
    const { diagnostics } = await readManifestFile(path, root);
    expect(diagnostics[0]).toMatchObject({ code: 'outside-space', line: 6, column: 6 });
    expect(diagnostics[0]?.message).toContain('is a link that leads out');
  });

  test('with several mistakes reports them all, in the order of the file', async () => {
    expect(await problemsOf(withRest('comand: ls\nconfirm: on\ntimeout: -1'))).toEqual([
      '2:1 no-action | add command: "…"',
      '5:1 unknown-key | comand → command?',
      '6:10 wrong-type | write true without quotes',
      '7:10 out-of-range',
    ]);
  });
});

test('a name that fills the file is reported in a readable line', async () => {
  const { diagnostics } = await read(withRest(`command: ls\n${'k'.repeat(20_000)}: 1`));
  expect(diagnostics).toMatchObject([{ code: 'unknown-key', line: 6 }]);
  expect(diagnostics[0]!.message.length).toBeLessThanOrEqual(400);
  const long = `command: echo {{no}}\ninputSchema: { type: object, properties: { ? a${'k'.repeat(20_000)} : {} } }`;
  const template = await read(withRest(long));
  expect(template.diagnostics[0]).toMatchObject({ code: 'unknown-parameter', line: 5 });
  expect(template.diagnostics[0]!.message.length).toBeLessThanOrEqual(400);
  const blank = await read(' '.repeat(20_000));
  expect(blank.diagnostics[0]!.message.length).toBeLessThan(200);
});
