import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completeMention } from '../../../../host/cli/prompt/files/complete-mention.ts';
import { mentionsIn } from '../../../../host/cli/prompt/files/mentions.ts';
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
  const offered = async (text: string): Promise<unknown> => (await completeMention(text))?.candidates;
  expect(await offered(`see @${at}/tw`)).toEqual([`@"${at}/two words.md" `, `@"${at}/two.md" `]);
  expect(await offered(`@"${at}/two w`)).toEqual([`@"${at}/two words.md" `]);
  expect(await offered(`@${at}/de`)).toEqual([`@${at}/deep/`]);
  expect(await offered(`@${at}/.`)).toEqual([`@${at}/.hidden/`]);
  expect(await offered('@~')).toEqual(['@~/']);
  expect(await offered(`@${at}/none`)).toEqual([]);
  expect(await offered('ada@exam')).toBeUndefined();
});

describe('on a terminal', () => {
  test('files that a message mentions go with it, unless they hold secrets', async () => {
    await using model = await startScriptedModel(() => ({ text: 'Seen.' }));
    await using home = await createHome({ '.env': 'KEY=1\n', 'data/notes.txt': 'own' });
    const at = join(home.path, 'stand here');
    mkdirSync(at);
    writeFileSync(join(at, 'two words.png'), png);
    writeFileSync(join(at, 'notes.md'), 'Buy milk.\n');
    writeFileSync(join(at, 'raw.bin'), Buffer.from([0, 1, 2, 3]));
    await using elsewhere = await createHome({});
    const outside = join(elsewhere.path, 'out.bin');
    writeFileSync(outside, Buffer.from([0, 1]));
    writeFileSync(join(at, 'big.bin'), Buffer.alloc(21 * 1024 * 1024));
    symlinkSync('../.env', join(at, 'harmless.txt'));
    await using chat = startOnTerminal([], {
      home: home.path,
      cwd: at,
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'test', PEGBOARD_MODEL: 'openai/scripted' },
    });
    const { stdin } = chat.child;
    await chat.next(/›/);
    for (const [named, reason] of [
      ['@harmless.txt', /\.env may hold secrets/],
      ['@../data/notes.txt', /belongs to Pegboard itself/],
      ['@big.bin', /big\.bin has 22 MB; files of up to 20 MB are sent/],
    ] as const) {
      stdin.write(`what is in ${named}${keys.enter}`);
      expect(await chat.next(/The message was not sent[^]*›/)).toMatch(reason);
    }
    stdin.write(`look at @tw${keys.tab}`);
    await chat.next(/@"two words\.png" /);
    stdin.write(`, @notes.md, @raw.bin, @${outside} @none.md and ada@example.org${keys.enter}`);
    expect(await chat.next(/Seen\./)).toContain(
      'with two words.png (67 B), notes.md (10 B), raw.bin (4 B), ',
    );
    const [request] = model.requests;
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
    expect(model.requests).toHaveLength(1);
    await using database = databaseOf(home);
    const db = await database.open();
    const { untrusted } = await db
      .selectFrom('messages')
      .select('untrusted')
      .where('role', '=', 'user')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(untrusted!)).toEqual([{ kind: 'file', what: outside }]);
  });
});
