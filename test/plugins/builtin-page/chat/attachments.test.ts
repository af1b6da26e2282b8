import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChatFile } from '../../../../plugins/builtin-page/chat/wire.ts';
import { sendRaw } from '../../../kit/servers/raw-http.ts';
import { answersIn, openChat, scriptedChat, type Chatting } from '../../../kit/web/open-chat.ts';
import { startScriptedModel } from '../../../../host/testing/index.ts';

const megabyte = 1024 * 1024;

async function upload(
  { page }: Chatting,
  bytes: Buffer,
  { name, type = '' }: { readonly name: string; readonly type?: string },
): Promise<{ readonly status: number; readonly body: ChatFile & { readonly error?: { message: string } } }> {
  return await page.ask(`upload?${new URLSearchParams({ name, type })}`, {
    body: bytes,
    changes: { 'content-type': 'application/octet-stream' },
  });
}
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('20 MB arrive byte for byte in the inbox, noted as from outside; one byte more is refused', async () => {
  await using chatting = await scriptedChat([{ text: 'I have it.' }]);
  const bytes = randomBytes(20 * megabyte);
  const { status, body: file } = await upload(chatting, bytes, { name: '../../etc/‮passwd\n.bin' });
  expect(status).toBe(200);
  expect(file).toMatchObject({ name: 'passwd.bin', bytes: bytes.length });
  expect(await upload(chatting, Buffer.concat([bytes, Buffer.of(1)]), { name: 'too-large' })).toMatchObject({
    status: 413,
    body: { error: { message: expect.stringContaining('20 MB') } },
  });
  expect(await chatting.write('', { files: [file.id] })).toBe(200);
  const { items } = await chatting.until((now) => answersIn(now).length > 0);
  expect(items[0]).toMatchObject({ kind: 'said', files: [{ name: 'passwd.bin' }] });
  const { page } = chatting;
  const places = readdirSync(page.home.path, { recursive: true, encoding: 'utf8' });
  const saved = places.filter((path) => path.includes('inbox') && path.endsWith('passwd.bin'));
  expect(saved).toHaveLength(1);
  const path = join(page.home.path, saved[0]!);
  expect(digest(readFileSync(path))).toBe(digest(bytes));
  expect(readFileSync(join(page.home.path, 'data/file-origins.json'), 'utf8')).toContain('passwd.bin');
});

test('an image is shown to the model, and read back as an image; everything else is for the disk', async () => {
  await using model = await startScriptedModel([{ text: 'A picture.' }]);
  await using chatting = await openChat(model.baseUrl);
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  const { body: picture } = await upload(chatting, png, { name: 'dot.png', type: 'image/png' });
  const { body: page } = await upload(chatting, Buffer.from('<script>alert(1)</script>'), {
    name: 'page.html',
    type: 'text/html',
  });
  await chatting.write('Look', { files: [picture.id, page.id] });
  const answered = await chatting.until((now) => answersIn(now).length > 0);
  expect(answersIn(answered)[0]!.untrusted).toEqual(['dot.png', 'page.html']);
  const sent = JSON.stringify(model.requests[0]!.messages);
  expect(sent).toContain(png.toString('base64'));
  expect(sent).toContain('the file page.html says');
  const session = await chatting.page.signIn();
  const read = (id: string, key = session.key) =>
    sendRaw(chatting.page.port, {
      method: 'GET',
      path: `/api/chat-file/${id}`,
      headers: ['host', `127.0.0.1:${chatting.page.port}`, 'cookie', session.cookie, 'x-pegboard-page', key],
    });
  expect((await read(picture.id)).headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
  });
  expect((await read(page.id)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(/^attachment/),
  });
  expect((await read(picture.id, 'wrong')).status).toBe(401);
  expect((await read('../pegboard.db')).status).toBe(404);
  expect((await read(encodeURIComponent('../pegboard.db'))).status).toBe(422);
});

test('an upload needs its own type, which no form of another page can send', async () => {
  await using chatting = await scriptedChat([]);
  for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'])
    expect(
      await chatting.page.ask('upload?name=x', { body: Buffer.from('x'), changes: { 'content-type': type } }),
    ).toMatchObject({ status: 415 });
});
