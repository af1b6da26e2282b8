import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

/** A message of the owner, and its answer. */
export interface Exchange {
  readonly said: string;
  readonly answer: string;
  /** Of the call that the answer's turn has made. */
  readonly call?: { readonly tool: string; readonly args: string; readonly result: string };
  /** The name of a file that was sent after it. */
  readonly file?: string;
}

/** Writes exchanges into a chat of the page, which has a message already, as if they had been held. */
export function fillChat(home: string, chat: string, exchanges: Iterable<Exchange>): void {
  using database = new DatabaseSync(join(home, 'data/pegboard.db'));
  database.exec('begin');
  const message = database.prepare(
    'insert into page_messages (chat, key, own, text, at, version) values (?, ?, ?, ?, ?, 1000000)',
  );
  const answer = database.prepare(
    `insert into messages (conversation_id, role, text, agent, state, created_at)
     select id, 'assistant', ?, 'pegboard', 'done', ? from conversations where source = 'web' and external_id = ?`,
  );
  const call = database.prepare(
    "insert into tool_calls (message_id, call_id, tool, args, result, ok, ms, ended) values (?, 'c', ?, ?, ?, 1, 5, 1)",
  );
  const file = database.prepare(
    "insert into page_files (id, message, name, type, bytes, at) values (?, ?, ?, 'image/png', 1, ?)",
  );
  let at = Date.now();
  for (const exchange of exchanges) {
    const time = new Date((at += 1_000)).toISOString();
    message.run(chat, `mfilled${at}`, 0, exchange.said, time);
    const { lastInsertRowid: answered } = answer.run(exchange.answer, time, chat);
    if (exchange.call) call.run(answered, exchange.call.tool, exchange.call.args, exchange.call.result);
    if (exchange.file === undefined) continue;
    const sent = message.run(chat, `sfilled${at}`, 1, '', time);
    file.run(`f${at}`, sent.lastInsertRowid, exchange.file, time);
  }
  database.exec('commit');
}
