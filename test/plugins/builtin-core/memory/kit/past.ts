import { createConversations } from '../../../../../host/store/conversations/conversations.ts';
import { databaseOf } from '../../../../kit/database.ts';

/** Stores a question and its answer in a conversation of the home, like turns do. */
export async function havePast(
  home: string,
  turns: readonly (readonly [user: string, assistant: string])[],
  externalId = 'cli',
): Promise<{ readonly id: number; readonly source: string; readonly externalId: string }> {
  await using database = databaseOf(home);
  const conversations = createConversations(database);
  const conversation = await conversations.getOrCreate({ source: 'cli', externalId });
  for (const [user, assistant] of turns) {
    await using turn = await conversations.openTurn(conversation.id, { text: user, agent: 'test' });
    await turn.finish(assistant);
  }
  return conversation;
}
