import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tool } from '../../../host/api/tool.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { builtInTools } from '../../kit/homes/built-in-tools.ts';

let home: AgentHome;
beforeAll(async () => {
  home = await openAgentHome(() => ({ text: 'done' }), {
    files: {
      'spaces/work/agent/agent.yaml':
        'id: work\nrole: coordinator\nruntime: { watchers: true, scheduler: true }\n',
    },
  });
});
afterAll(() => home[Symbol.asyncDispose]());

/** How each built-in tool is treated after untrusted content was read. A new tool must be added to one of the lists. */
const classes = {
  reads: `WsGlob WsGrep WsRead connect describe_table fetch_results glob grep http_get identity_read list_tables listdir memory_graph memory_recall read read_artifact recall
    schedule_list secret_list self_read_source self_view_logs telegram_get_pinned usage_stats watch_history watch_list
    watch_status web_read web_search`,
  /** Tools that ask the user, or control how the answer is sent to the chat. */
  'is a part of the reply':
    'telegram_ask telegram_react telegram_reply_to show_dialog show_file_picker show_notification',
  'has others run, and is judged by these': `agent ask_user background_run browse_category call_app execute_tool get_tool
    list_categories run_parallel run_read_only_script run_script search_tools use_skill`,
  'asks, and may be allowed for the conversation': `extension_reload self_run_tests self_system_status telegram_pin
    telegram_unpin watch_pause`,
  'asks each time': `WsDelete WsEdit WsWrite bash cancel_schedule channel_send drop_table edit execute_query forget http_request identity_update memory_forget
    memory_store remember remind schedule schedule_cancel schedule_create secret_delete secret_store self_deploy self_edit_source watch_resume watch_start
    watch_stop write`,
};

function classOf(tool: Tool, meta: boolean): keyof typeof classes {
  const { annotations = {}, confirm, guarded, name } = tool;
  if (meta) return 'has others run, and is judged by these';
  if (annotations.readOnlyHint === true)
    return /^(telegram_(ask|react|reply_to)|show_(dialog|file_picker|notification))$/.test(name)
      ? 'is a part of the reply'
      : 'reads';
  return guarded || confirm || annotations.destructiveHint
    ? 'asks each time'
    : 'asks, and may be allowed for the conversation';
}

test('every built-in tool is known to read, to write or to run others', () => {
  const found: { [name in keyof typeof classes]?: string[] } = {};
  for (const { tool, isMeta } of builtInTools(home.host))
    (found[classOf(tool, isMeta)] ??= []).push(tool.name);
  const sorted = Object.fromEntries(Object.entries(found).map(([name, tools]) => [name, tools.sort()]));
  const expected = Object.fromEntries(
    Object.entries(classes).map(([name, tools]) => [name, tools.trim().split(/\s+/).sort()]),
  );
  expect(sorted).toEqual(expected);
});
