import type { Agent, InjectionMode } from '../../api/agent.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { serverInstructions } from './server-instructions.ts';
import { plural } from '../../core/text/plural.ts';

/** How the system prompt describes the meta-tools. */
const purposes = new Map([
  ['search_tools', 'Keyword and semantic search over all tools'],
  ['get_tool', 'Full schema, risk and examples of one tool'],
  ['execute_tool', 'Execute a tool with parameters'],
  ['list_categories', 'List all tool domains'],
  ['browse_category', 'Browse the tools of one domain, page by page'],
]);

const workflow = `Workflow:
1. Discover what's available (list or search)
2. Get the exact parameter schema before calling
3. Execute the tool with the correct parameters`;

const compactRule =
  'The tools are listed with one line each and an open schema. Call them by name: arguments that do not fit come back with the schema, so correct them and call again. get_tool shows a schema beforehand.';

const othersRule =
  'More tools exist than are listed: find them with search_tools, then call them by name through execute_tool.';

const scriptRule = 'Several calls, or a large result to filter: one run_script.';

/** The system prompt's block about tools. `meta`: those that are listed. */
export function injectionPrompt(
  { id, role }: Pick<Agent, 'id' | 'role'>,
  mode: InjectionMode,
  tools: readonly RegisteredTool[],
  meta: readonly RegisteredTool[],
  contextWindow: number,
): string {
  const domains = new Set(tools.map(({ source }) => source.module)).size;
  const leading = meta.filter(({ name }) => purposes.has(name));
  return [
    `You are agent "${id}" (role: ${role}).`,
    `You have access to ${plural(tools.length, 'tool')} across ${plural(domains, 'domain')}.`,
    ...(mode === 'compact_direct' ? [compactRule] : []),
    ...(leading.length > 1 ? (mode === 'discovery' ? [leadingBlock(leading), workflow] : [othersRule]) : []),
    ...(mode !== 'direct' && meta.some(({ name }) => name === 'run_script') ? [scriptRule] : []),
    ...(mode === 'discovery' ? [] : instructionsBlock(tools, contextWindow)),
  ].join('\n\n');
}

/** Left out in discovery: get_tool returns them for the server that matters. */
function instructionsBlock(tools: readonly RegisteredTool[], contextWindow: number): string[] {
  const text = serverInstructions(
    tools.map(({ source }) => source),
    contextWindow,
  );
  return text === undefined ? [] : [`What servers say about the use of their tools:\n\n${text}`];
}

function leadingBlock(leading: readonly RegisteredTool[]): string {
  const lines = leading.map(({ name }) => `- ${name}: ${purposes.get(name)!}`);
  return ['To find and use tools, you have these meta-tools:', ...lines].join('\n');
}
