import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spokenBytes, startAudioServer } from '../../kit/servers/audio-server.ts';
import { anna } from '../../kit/telegram/fake-bot-api.ts';
import { openBotHome } from './bot-home.ts';

const recorded = Buffer.from('OggS\0 recorded');
const key = 'sk-proj-Zk3vQ9mT7xLw2RbN8cYd';

test('a voice message is transcribed, kept and answered aloud, and nothing is lost where that fails', async () => {
  await using audio = await startAudioServer();
  await using bot = await openBotHome((_request, index) => ({ text: `**Answer** ${index + 1}.` }), {
    models: {
      transcription: { model: 'hears', base_url: audio.baseUrl, api_key: key },
      speech: { model: 'speaks', voice: 'nova', base_url: audio.baseUrl, api_key: key },
    },
  });
  const { telegram, model, host, home } = bot;
  const say = (more: object = {}): number =>
    telegram.write(anna, undefined, {
      voice: { file_id: telegram.addFile(recorded), duration: 3, mime_type: 'audio/ogg' },
      ...more,
    });
  const lastUser = (index: number): string =>
    JSON.stringify(model.requests[index]?.messages.findLast(({ role }) => role === 'user'));
  const keptIn = (text: string): Buffer =>
    readFileSync(join(home.path, /workspace\/inbox\/[\w.-]+\.ogg/.exec(text)![0]));

  // Tried again where that may help.
  audio.faults.push({ status: 503, message: 'busy' });
  audio.says = `Buy milk. My key is ${key}.`;
  const id = say();
  const [answer, spoken] = await bot.sent(anna.id, 2);
  expect(answer!.text).toBe('Answer 1.');
  expect(spoken!.file).toEqual({ kind: 'voice', name: 'audio.ogg', bytes: spokenBytes });
  expect(audio.transcriptions).toEqual([
    {
      model: 'hears',
      format: 'json',
      name: `voice-${id}.ogg`,
      type: 'audio/ogg',
      bytes: recorded,
      authorization: `Bearer ${key}`,
    },
  ]);
  expect(audio.spoken).toEqual([
    { model: 'speaks', voice: 'nova', input: 'Answer 1.', response_format: 'opus' },
  ]);
  expect(lastUser(0)).toMatch(
    /\[Transcript of a voice message, which is in the home as .*:\]\\nBuy milk\. My key is \[secret/,
  );
  expect(keptIn(lastUser(0))).toEqual(recorded);
  const used = await host.usage.summarize('agent');
  expect(used.find(({ name }) => name === 'transcription')).toMatchObject({ calls: 1, input: 20, output: 3 });
  expect(used.find(({ name }) => name === 'speech')).toMatchObject({ calls: 1 });

  audio.faults.push({ status: 401, message: `Incorrect API key provided: ${key}` });
  say();
  const { text: refused } = await bot.says(anna.id, /I couldn't listen to it/);
  expect(refused).toMatch(
    /Incorrect API key provided: \[secret .* The recording is kept as workspace\/inbox/,
  );
  expect(keptIn(refused)).toEqual(recorded);
  expect(model.requests).toHaveLength(1);

  // Telegram lets people refuse voice messages.
  telegram.fail('sendVoice', { status: 400, description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN' });
  audio.says = 'And now?';
  say();
  await bot.sent(anna.id, 5);
  expect(telegram.sentTo(anna.id).at(-1)!.file).toMatchObject({ kind: 'document', bytes: spokenBytes });

  audio.faults.push({ path: '/v1/audio/speech', status: 400, message: 'no such voice' });
  say();
  await bot.says(anna.id, /^\(I couldn't say this aloud: .*400 no such voice.*models\.speech/);
  expect(telegram.sentTo(anna.id).at(-2)!.text).toBe('Answer 3.');

  telegram.write(anna, 'typed');
  await bot.says(anna.id, 'Answer 4.');
  expect(audio.spoken).toHaveLength(2);
});
