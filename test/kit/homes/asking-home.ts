import { createQuestions } from '../../../host/store/owner/questions.ts';
import { manifest, type TestHome } from './home.ts';
import { pegboardJson, pegboard, type CliResult } from '../cli.ts';
import type { OpenQuestion } from '../../../host/api/questions.ts';
import { databaseOf } from '../database.ts';
import { waitUntil } from '../wait-until.ts';

/** A tool that asks for confirmation, and whose runs can be counted: it writes a line into `spaces/s/notes.txt`. */
export const askingFiles = {
  'spaces/s/space.manifest.json': JSON.stringify({ id: 's', name: 's', description: 's', tools: [] }),
  'spaces/s/agent/tools/note.md': manifest(
    'note',
    `confirm: true\nparameters: [{ name: text, type: string, required: true }]\ncommand: printf '%s\\n' {{text}} >> notes.txt`,
  ),
  'spaces/s/agent/tools/hello.md': manifest('hello', 'command: echo hello'),
};

export const notesIn = async (home: TestHome): Promise<readonly string[]> =>
  (await home.read('spaces/s/notes.txt').catch(() => '')).split('\n').filter((line) => line !== '');

/** As `pegboard approvals list` shows them. The command is only started when there are at least `count`. */
export async function questionsOf(home: TestHome, count: number): Promise<readonly OpenQuestion[]> {
  await using database = databaseOf(home);
  const stored = createQuestions(database);
  const listed = async (): Promise<readonly OpenQuestion[]> => {
    const args = ['approvals', 'list'];
    return (await pegboardJson<{ questions: readonly OpenQuestion[] }>(args, { home: home.path })).questions;
  };
  const areAll = ({ length }: readonly unknown[]): boolean => length === count;
  return await waitUntil(async () => {
    await waitUntil(() => stored.list(), areAll);
    return await listed();
  }, areAll);
}

export const answer = (home: TestHome, how: 'allow' | 'deny', id: number): Promise<CliResult> =>
  pegboard(['approvals', how, String(id)], { home: home.path });
