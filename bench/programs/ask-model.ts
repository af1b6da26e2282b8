/**
 * `ask-model.ts`: sends "ping" to the model at OPENAI_BASE_URL, using only the `openai` package, and prints its answer.
 */
import { OpenAI } from 'openai';

const client = new OpenAI({ apiKey: 'none' });
const messages = [{ role: 'user', content: 'ping' }] as const;
const stream = await client.chat.completions.create({
  model: 'instant',
  messages: [...messages],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
