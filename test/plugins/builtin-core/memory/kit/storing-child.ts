/**
 * Stores, replaces and forgets memories and has conversations, one after the other, until it is killed. Reports each
 * action on stdout as a JSON line. Arguments: a home's folder, a name that nobody else uses.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { inspect } from 'node:util';
import { createConversations } from '../../../../../host/store/conversations/conversations.ts';
import { createHistory } from '../../../../../host/store/conversations/history.ts';
import { createPluginTables } from '../../../../../host/store/database/plugin-tables.ts';
import { coreTables } from '../../../../kit/core-tables.ts';
import { archiveMemory, storeMemory } from '../../../../../plugins/builtin-core/memory/memories.ts';
import type { MemoryTables } from '../../../../../plugins/builtin-core/memory/tables.ts';
import { indexConversation } from '../../../../../plugins/builtin-core/memory/recall/turns.ts';
import { migrations } from '../../../../../plugins/builtin-core/migrations.ts';
import { databaseOf } from '../../../../kit/database.ts';

const [home, name] = process.argv.slice(2) as [string, string];
const say = (done: object): void => void writeSync(1, `${JSON.stringify(done)}\n`);

flushCompileCache();
try {
  const database = databaseOf(home);
  const tables = await createPluginTables<MemoryTables>(database, coreTables, migrations).open();
  const conversations = createConversations(database);
  const history = createHistory(database);
  const conversation = await conversations.getOrCreate({ source: 'cli', externalId: name });
  for (let at = 0; ; at++) {
    const content = `memory ${name}x${at} of a child`;
    const common = { category: 'note', tags: ['killed'], origin: 'told', sources: [] } as const;
    const { id } = await storeMemory(tables, { ...common, content });
    say({ stored: id, content });
    if (at % 3 === 1) {
      const better = `better memory ${name}x${at} of a child`;
      const newer = await storeMemory(tables, { ...common, content: better, supersedes: id });
      say({ stored: newer.id, content: better, supersedes: id });
    }
    if (at % 3 === 2) {
      await archiveMemory(tables, id);
      say({ forgotten: id });
    }
    await using turn = await conversations.openTurn(conversation.id, {
      text: `said ${name}x${at}`,
      agent: 'a',
    });
    await turn.finish(`heard ${name}x${at}`);
    await indexConversation(tables, history, conversation);
    say({ said: turn.userMessageId });
  }
} catch (cause) {
  say({ error: inspect(cause, { depth: 5 }) });
  process.exit(1);
}
