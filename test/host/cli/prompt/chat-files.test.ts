import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { processSurroundings } from '../../../../host/core/platform/surroundings.ts';
import { completeMention } from '../../../../host/cli/prompt/files/complete-mention.ts';
import { mentionDropped } from '../../../../host/cli/prompt/files/dropped-files.ts';
import { mentionsIn } from '../../../../host/cli/prompt/files/mentions.ts';
import { pictureReader } from '../../../../host/core/platform/clipboard.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';
import { images } from '../../../kit/data/images.ts';
import { databaseOf } from '../../../kit/database.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { keys, startOnTerminal } from '../../../kit/pty.ts';

const png = Buffer.from(images['image/png'], 'base64');

test('files are mentioned with @; an address, a decorator in a word and a lone @ mention nothing', () => {
  expect(mentionsIn('see @a.md, (@"b c.png") and @~/d/e.txt.')).toEqual([
    ['a.md,', 'a.md'],
    ['b c.png'],
    ['~/d/e.txt.', '~/d/e.txt'],
  ]);
  expect(mentionsIn('ada@example.org, a/@b, @ 5 and "" @@x')).toEqual([]);
});

test('Tab completes what is written of a path, and quotes it where a name has spaces', async () => {
  await using home = await createHome({
    'in/two words.md': '',
    'in/two.md': '',
    'in/.hidden/x': '',
    'in/deep/y': '',
  });
  const at = join(home.path, 'in');
  const offered = (text: string): unknown => completeMention(text, processSurroundings())?.candidates;
  expect(offered(`see @${at}/tw`)).toEqual([`@"${at}/two words.md" `, `@"${at}/two.md" `]);
  expect(offered(`@"${at}/two w`)).toEqual([`@"${at}/two words.md" `]);
  expect(offered(`@${at}/de`)).toEqual([`@${at}/deep/`]);
  expect(offered(`@${at}/.`)).toEqual([`@${at}/.hidden/`]);
  expect(offered('@~')).toEqual(['@~/']);
  expect(offered(`@${at}/none`)).toEqual([]);
  expect(offered('ada@exam')).toBeUndefined();
});

test('a paste that is nothing but paths of files mentions them', async () => {
  await using home = await createHome({ 'a b.md': '', "it's.md": '', 'c.md': '' });
  const at = (name: string): string => join(home.path, name);
  const [spaces, quote, plain] = [at('a b.md'), at("it's.md"), at('c.md')];
  const written: readonly (readonly [pasted: string, before: string, result: string | undefined])[] = [
    [plain, '', `@${plain} `],
    [spaces, 'see', ` @"${spaces}" `],
    [`'${spaces}'  ${plain}\n`, 'see ', `@"${spaces}" @${plain} `],
    [`${spaces.replace(' ', '\\ ')} `, 'see @', `"${spaces}" `],
    [`'${quote.replace("'", "'\\''")}'`, '', `@${quote} `],
    [`${pathToFileURL(spaces).href}\r\n${pathToFileURL(plain).href}`, '', `@"${spaces}" @${plain} `],
    [`${plain} is good`, '', undefined],
    ['c.md', '', undefined],
    [at('none.md'), '', undefined],
    [home.path, '', undefined],
    [plain, '/call filesystem.read path=', undefined],
  ];
  for (const [pasted, before, result] of written)
    expect([pasted, mentionDropped(pasted, before)]).toEqual([pasted, result]);
});

test('the picture in the clipboard is read with what the desktop has', () => {
  const find = (name: string): string => `/bin/${name}`;
  const linux = { platform: 'linux', find } as const;
  const programOf = (desktop: Parameters<typeof pictureReader>[0]): string | undefined =>
    pictureReader(desktop)?.argv[0];
  expect(programOf({ ...linux, environment: { WAYLAND_DISPLAY: 'w', DISPLAY: ':0' } })).toBe('/bin/wl-paste');
  expect(programOf({ ...linux, environment: { DISPLAY: ':0' } })).toBe('/bin/xclip');
  expect(programOf({ ...linux, environment: {} })).toBeUndefined();
  expect(
    programOf({ platform: 'linux', find: () => undefined, environment: { DISPLAY: ':0' } }),
  ).toBeUndefined();
  expect(programOf({ platform: 'darwin', environment: {}, find })).toBe('/bin/pngpaste');
  const mac = pictureReader({ platform: 'darwin', environment: {}, find: () => undefined })!;
  expect(mac.argv[0]).toBe('osascript');
  expect(mac.decode(Buffer.from('«data PNGf8950»\n'))).toEqual(Buffer.from([0x89, 0x50]));
  const windows = pictureReader({ platform: 'win32', environment: {}, find })!;
  expect(windows.decode(Buffer.from(`${png.toString('base64')}\r\n`))).toEqual(png);
});

describe('on a terminal', () => {
  test('mentioned and dropped files and pasted pictures go with a message, unless they hold secrets', async () => {
    await using model = await startScriptedModel(() => ({ text: 'Seen.' }));
    await using home = await createHome({
      '.env': 'KEY=1\n',
      'data/notes.txt': 'own',
      'bin/wl-paste': '#!/bin/sh\nexec cat "$CLIPBOARD"\n',
    });
    const at = join(home.path, 'stand here');
    chmodSync(join(home.path, 'bin/wl-paste'), 0o755);
    mkdirSync(at);
    writeFileSync(join(at, 'two words.png'), png);
    writeFileSync(join(at, 'notes.md'), 'Buy milk.\n');
    writeFileSync(join(at, 'raw.bin'), Buffer.from([0, 1, 2, 3]));
    await using elsewhere = await createHome({});
    const outside = join(elsewhere.path, 'out.bin');
    writeFileSync(outside, Buffer.from([0, 1]));
    writeFileSync(join(at, 'big.bin'), Buffer.alloc(21 * 1024 * 1024));
    symlinkSync('../.env', join(at, 'harmless.txt'));
    symlinkSync(outside, join(at, 'linked.md'));
    await using chat = startOnTerminal([], {
      home: home.path,
      cwd: at,
      env: {
        PATH: `${home.path}/bin:${process.env['PATH']}`,
        WAYLAND_DISPLAY: 'wayland-0',
        CLIPBOARD: join(home.path, 'clipboard'),
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_API_KEY: 'test',
        PEGBOARD_MODEL: 'openai/scripted',
      },
    });
    const { stdin } = chat.child;
    await chat.next(/›/);
    // Stands in for the clipboard of a desktop.
    stdin.write('\x16');
    await chat.next(/The clipboard holds no picture/);
    writeFileSync(join(home.path, 'clipboard'), png);
    stdin.write('\x16');
    await chat.next(/› @\S+\/picture-1\.png /);
    stdin.write(`\x1b[200~'${join(at, 'two words.png')}' '${join(at, 'notes.md')}'\x1b[201~${keys.enter}`);
    const listed = await chat.next(/Seen\./);
    expect(listed).toMatch(/with \S+picture-1\.png \(67 B\), two words\.png \(67 B\), notes\.md \(10 B\)/);
    const pasted = /@(\S+picture-1\.png)/.exec(listed)![1]!;
    expect(statSync(pasted).mode & 0o777).toBe(0o600);
    for (const [named, reason] of [
      ['@harmless.txt', /leads to \S+\.env/],
      ['@linked.md', /leads to \S+out\.bin: mention that file itself/],
      ['@../.env', /\.env may hold secrets/],
      ['@/proc/self/environ', /is no ordinary file/],
      ['@../data/notes.txt', /belongs to Pegboard itself/],
      ['@big.bin', /big\.bin has 22 MB; files of up to 20 MB are sent/],
    ] as const) {
      stdin.write(`what is in ${named}${keys.enter}`);
      expect(await chat.next(/The message was not sent[^]*›/)).toMatch(reason);
    }
    stdin.write(`look at @tw${keys.tab}`);
    await chat.next(/@"two words\.png" /);
    stdin.write(`, @notes.md, @raw.bin, @${outside} @none.md and ada@example.org${keys.enter}`);
    expect(await chat.next(/Send it to the model\?[^]*\bNo\b/)).toContain(
      'lies outside of the home, the project',
    );
    stdin.write('y');
    expect(await chat.next(/Seen\./)).toContain(
      'with two words.png (67 B), notes.md (10 B), raw.bin (4 B), ',
    );
    const request = model.requests[1];
    const { content } = request!.messages.at(-1)!;
    expect(content).toContainEqual({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${images['image/png']}` },
    });
    const said = JSON.stringify(content);
    expect(said).toContain('@none.md and ada@example.org');
    expect(said).toContain(`[the file ${join(at, 'notes.md')} says:]\\nBuy milk.\\n`);
    expect(said).toContain('(unknown kind, 4 bytes) is in the home as stand here/raw.bin]');
    expect(said).toMatch(
      /out\.bin \(unknown kind, 2 bytes\) is in the home as workspace\/inbox\/[\w-]+-out\.bin\]/,
    );
    expect(model.requests).toHaveLength(2);
    stdin.write(keys.ctrlD);
    await chat.ended;
    expect(existsSync(pasted)).toBe(false);
    await using database = databaseOf(home);
    const db = await database.open();
    const { untrusted } = await db
      .selectFrom('messages')
      .select('untrusted')
      .where('role', '=', 'user')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(untrusted!)).toEqual([{ kind: 'file', what: outside }]);
  });

  test('a file outside of the known folders is sent after a question, whatever its name', async () => {
    await using model = await startScriptedModel(() => ({ text: 'Seen.' }));
    await using home = await createHome({});
    await using elsewhere = await createHome({
      '.config/gh/hosts.yml': 'oauth_token: x\n',
      '.zsh_history': 'curl\n',
      'app/.git/HEAD': '',
      'app/src/main.ts': 'let a = 1;\n',
      'app/src/prod.env': 'A=1\n',
      'app/src/mine.txt': ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\n'].join(' '),
      'app/notes.md': 'Buy milk.\n',
    });
    const at = (name: string): string => join(elsewhere.path, name);
    await using chat = startOnTerminal([], {
      home: home.path,
      cwd: at('app/src'),
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', PEGBOARD_MODEL: 'openai/scripted' },
    });
    const { stdin } = chat.child;
    await chat.next(/Trust what is written in this project[^]*\bNo\b/);
    stdin.write('y');
    await chat.next(/›/);
    stdin.write(`look at @main.ts and @../notes.md${keys.enter}`);
    expect(await chat.next(/Seen\./)).not.toContain('Send');
    stdin.write(`\x1b[200~${at('.config/gh/hosts.yml')}\x1b[201~${keys.enter}`);
    expect(await chat.next(/Send it to the model\?[^]*\bNo\b/)).toContain(
      `${at('.config/gh/hosts.yml')} lies outside`,
    );
    stdin.write('n');
    expect(await chat.next(/The message was not sent[^]*›/)).toContain('You answered No.');
    stdin.write(`both: @${at('.config/gh/hosts.yml')} @${at('.zsh_history')}${keys.enter}`);
    const asked = await chat.next(/Send these files to the model\?[^]*\bNo\b/);
    expect(asked).toContain(at('.zsh_history'));
    expect(model.requests).toHaveLength(1);
    stdin.write('y');
    await chat.next(/Seen\./);
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain('oauth_token');
    stdin.write(`@prod.env${keys.enter}`);
    expect(await chat.next(/The message was not sent[^]*›/)).toContain('prod.env may hold secrets');
    stdin.write(`@mine.txt${keys.enter}`);
    expect(await chat.next(/Send it to the model\?[^]*\bNo\b/)).toContain('seems to hold a private key');
    stdin.write('n');
    await chat.next(/The message was not sent[^]*›/);
    expect(model.requests).toHaveLength(2);
    stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test('a file that a rule denies is not sent, by no path to it; one that a rule asks about after a question', async () => {
    await using model = await startScriptedModel(() => ({ text: 'Seen.' }));
    await using home = await createHome({
      'pegboard.yaml': [
        'permissions:',
        '  ask: [read(drafts/**)]',
        '  deny: [filesystem.*(kept/**), read(alias.md)]',
        '',
      ].join('\n'),
      'kept/plan.md': 'The plan.\n',
      'drafts/a.md': 'A draft.\n',
      'open.md': 'Open.\n',
    });
    const at = (name: string): string => join(home.path, name);
    symlinkSync('kept/plan.md', at('lnk'));
    symlinkSync('kept', at('folder'));
    symlinkSync('open.md', at('alias.md'));
    await using elsewhere = await createHome({});
    symlinkSync(home.path, join(elsewhere.path, 'way'));
    await using chat = startOnTerminal([], {
      home: home.path,
      cwd: home.path,
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', PEGBOARD_MODEL: 'openai/scripted' },
    });
    const { stdin } = chat.child;
    await chat.next(/›/);
    for (const [written, rule] of [
      ['@kept/plan.md show', 'filesystem.*(kept/**)'],
      ['@lnk', 'filesystem.*(kept/**)'],
      ['@folder/plan.md', 'filesystem.*(kept/**)'],
      ['@open.md and @kept/../kept/plan.md', 'filesystem.*(kept/**)'],
      ['@alias.md', 'read(alias.md)'],
      [`@${join(elsewhere.path, 'way/alias.md')}`, 'read(alias.md)'],
      [`\x1b[200~${at('kept/plan.md')}\x1b[201~`, 'filesystem.*(kept/**)'],
    ] as const) {
      stdin.write(`${written}${keys.enter}`);
      const shown = await chat.next(/The message was not sent[^]*›/);
      expect(shown.replaceAll(/\s+/g, ' ')).toContain(`The rule "${rule}" under permissions.deny in `);
    }
    stdin.write(`@drafts/a.md${keys.enter}`);
    expect(await chat.next(/Send it to the model\?[^]*\bNo\b/)).toContain('The rule "read(drafts/**)" asks');
    expect(model.requests).toHaveLength(0);
    stdin.write('y');
    await chat.next(/Seen\./);
    stdin.write(`@open.md${keys.enter}`);
    await chat.next(/Seen\./);
    const sent = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(sent).toEqual([expect.stringContaining('A draft.'), expect.stringContaining('Open.')]);
    stdin.write(keys.ctrlD);
    await chat.ended;
  });

  test.skipIf(process.platform !== 'linux')('Tab offers no file whose name is not UTF-8', async () => {
    await using home = await createHome({ 'café.txt': '' });
    for (const name of ['caf\xe9.txt', 'caf\xff', 'odd\xe9.txt'])
      writeFileSync(Buffer.from(join(home.path, name), 'latin1'), '');
    await using chat = startOnTerminal([], {
      home: home.path,
      cwd: home.path,
      env: { OPENAI_API_KEY: 'test', PEGBOARD_MODEL: 'openai/scripted' },
    });
    const { stdin } = chat.child;
    await chat.next(/›/);
    stdin.write(`@odd${keys.tab} and @caf${keys.tab}`);
    expect(await chat.next(/@café\.txt /)).toContain('@odd and');
  });
});
