import { expect } from 'vitest';
import type { JsonObject } from '../../../host/api/result.ts';

/** Calls of each tool, and a part of the structure that the last one returns. */
export const calls: { readonly [tool: string]: readonly [args: JsonObject, structure: JsonObject] } = {
  listdir: [{ path: 'notes' }, { entries: [{ name: 'a.md', path: 'notes/a.md', type: 'file', size: 8 }] }],
  glob: [{ pattern: 'notes/a*' }, { files: [{ path: 'notes/a.md' }] }],
  grep: [{ pattern: 'two' }, { matches: [{ path: 'notes/a.md', line: 2, text: 'two' }] }],
  read: [{ path: 'notes/a.md' }, { content: 'one\ntwo\n', size: 8, totalLines: 2 }],
  write: [
    { path: 'notes/b.md', content: 'new' },
    { created: true, size: 3 },
  ],
  edit: [
    { path: 'notes/a.md', old_string: 'two', new_string: 'three' },
    { replaced: 1, size: 10 },
  ],
  bash: [{ command: 'echo out; echo err >&2' }, { exitCode: 0, stdout: 'out\n', stderr: 'err\n' }],
  WsWrite: [{ path: 'x.md', content: 'x\n' }, { created: true }],
  WsRead: [{ path: 'x.md' }, { content: 'x\n' }],
  WsEdit: [{ path: 'x.md', old_string: 'x', new_string: 'y' }, { replaced: 1 }],
  WsGlob: [{ pattern: '*.md' }, { files: [{ path: 'x.md' }] }],
  WsGrep: [{ pattern: 'y' }, { matches: [{ line: 1 }] }],
  WsDelete: [{ path: 'x.md' }, { deleted: 1 }],
  secret_store: [{ name: 'SOME_TOKEN', value: 'value-of-it' }, { name: 'SOME_TOKEN' }],
  secret_list: [{}, { secrets: [{ name: 'SOME_TOKEN' }] }],
  secret_delete: [{ name: 'SOME_TOKEN' }, { name: 'SOME_TOKEN' }],
  memory_store: [{ content: 'Anna likes tea' }, { id: 1, known: false }],
  memory_recall: [{ query: 'Anna tea' }, { memories: [{ id: 1, content: 'Anna likes tea' }], messages: [] }],
  memory_forget: [{ query: 'Anna tea' }, { candidates: [{ id: 1 }] }],
  memory_graph: [{ action: 'search', name: 'Anna' }, { nodes: [] }],
  remember: [{ content: 'Bert likes milk' }, { known: false }],
  recall: [{ query: 'Bert milk' }, { memories: [{ content: 'Bert likes milk' }] }],
  forget: [{ id: 2 }, { forgotten: 2 }],
  schedule_create: [
    { instruction: 'Water the plants', cron_expression: '0 9 * * *' },
    { id: 1, created: true },
  ],
  schedule: [
    { instruction: 'Feed the cat', cron_expression: '0 8 * * *' },
    { id: 2, created: true },
  ],
  remind: [
    { message: 'Bread', run_at: 'in 40 minutes' },
    { id: 3, created: true },
  ],
  schedule_list: [
    {},
    { schedules: [{ id: 1, cron: '0 9 * * *', next_at: expect.stringMatching(/T09:00:00/) }, {}, {}] },
  ],
  schedule_cancel: [{ id: 1 }, { id: 1, cancelled: true }],
  cancel_schedule: [{ id: 2 }, { id: 2, cancelled: true }],
  watch_start: [{ files: 'notes/*.md' }, { id: 1, state: 'active' }],
  watch_list: [
    {},
    { watchers: [{ id: 1, target: { kind: 'files', pattern: 'notes/*.md' }, interval_s: 60 }] },
  ],
  watch_status: [{ id: 1 }, { id: 1, failures: 0, history: [] }],
  watch_history: [{}, { entries: [] }],
  watch_pause: [{ id: 1 }, { state: 'paused' }],
  watch_resume: [{ id: 1 }, { state: 'active' }],
  watch_stop: [{ id: 1 }, { state: 'stopped' }],
  identity_update: [
    { file: 'soul', content: 'Kind.' },
    { file: 'soul', size: 5 },
  ],
  identity_read: [{ file: 'soul' }, { files: [{ file: 'soul', content: 'Kind.' }] }],
  usage_stats: [{ by: 'tool' }, { by: 'tool', lines: [] }],
  channel_send: [
    { channel: 'terminal', chat: 'cli', text: 'Hello' },
    { channel: 'terminal', chat: 'cli' },
  ],
  connect: [{ connection_id: 'shop', database: 'shop.db' }, { connection_id: 'shop' }],
  list_tables: [{ connection_id: 'shop' }, { rows: [['orders', 'table']] }],
  describe_table: [{ connection_id: 'shop', table: 'orders' }, { rows: [expect.any(Array)] }],
  fetch_results: [
    { connection_id: 'shop', query: 'select id from orders' },
    { columns: ['id'], rows: [[1]] },
  ],
  self_system_status: [{}, { cpu: { cores: expect.any(Number) } }],
  self_read_source: [
    { path: 'package.json', limit: 1 },
    { content: '{', lines: 1 },
  ],
  search_tools: [{ domain: 'files', query: 'read file' }, { isSure: true }],
  get_tool: [{ name: 'read' }, { name: 'filesystem.read', output: { type: 'object' } }],
  list_categories: [{}, { categories: expect.any(Array) }],
  browse_category: [{ category: 'filesystem' }, { page: 1, tools: expect.any(Array) }],
  run_parallel: [
    { calls: [{ tool: 'glob', params: { pattern: 'notes/a*' } }] },
    { results: [{ ok: true, structured: { files: [{ path: 'notes/a.md' }] } }] },
  ],
  background_run: [{ mode: 'list' }, { jobs: [] }],
  call_app: [{ agent: 'other', task: 'Do it' }, { answer: 'done' }],
  agent: [{ task: 'Do it' }, { answer: 'done' }],
  use_skill: [{ name: '?' }, { skills: [] }],
  ask_user: [{ question: 'Which?' }, { answered: true, answer: 'yes' }],
  show_dialog: [{ title: 'Which?', choices: ['yes', 'no'] }, { choice: 'yes' }],
};

/** They need a service, a bot, a clone or a person with a file, or change databases: their own tests run them. */
export const runElsewhere = `drop_table execute_query extension_reload http_get
  http_request read_artifact self_deploy self_edit_source self_run_tests self_view_logs show_file_picker
  show_notification telegram_ask telegram_get_pinned telegram_pin telegram_react telegram_reply_to telegram_unpin
  web_read web_search`;

/** Yes, whatever is asked. */
export function answersTo(schema: JsonObject | undefined): JsonObject {
  const properties = (schema?.['properties'] ?? {}) as { readonly [name: string]: JsonObject };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, enum: choices }]) => [
      name,
      Array.isArray(choices) ? choices[0] : type === 'boolean' ? true : 'yes',
    ]),
  );
}
