import type { ToolSource } from '../../../host/api/source.ts';
import type { RegisteredTool, Tool } from '../../../host/api/tool.ts';
import { silentLogger } from '../../../host/core/log.ts';
import type { InjectionRequest } from '../../../host/tools/injection/plan-injection.ts';
import { createRegistry } from '../../../host/tools/registry.ts';
import { tokensOf, toWire } from '../../../host/tools/injection/wire.ts';
import { echoTool, memorySource } from '../source.ts';

/** An agent without settings of its own. */
export const assistant: InjectionRequest['agent'] = {
  id: 'example',
  role: 'assistant',
  runtime: { directModules: [], watchers: false, scheduler: false, maxRounds: 10, deadline: 60 },
  modules: undefined,
};

/** Tools as a registry holds them. */
export async function registered(tools: readonly Tool[] | readonly ToolSource[]): Promise<RegisteredTool[]> {
  const registry = createRegistry(silentLogger);
  const sources = tools.every((item) => 'list' in item) ? tools : [memorySource(tools as Tool[])];
  for (const source of sources) await registry.add(source);
  return [...registry.snapshot.tools.values()];
}

/** A tool whose JSON, as sent, has exactly this number of tokens. */
export function sized(name: string, tokens: number): Tool {
  const bare = echoTool({ name, description: '' });
  const wire = toWire({ ...bare, id: `memory.${name}`, wireName: name, source: memorySource([]) });
  const missing = tokens * 4 - JSON.stringify({ type: 'function', function: wire }).length;
  const tool = echoTool({ name, description: 'x'.repeat(missing) });
  const registeredTool = { ...tool, id: `memory.${name}`, wireName: name, source: memorySource([]) };
  if (tokensOf(toWire(registeredTool)) !== tokens) throw new Error(`${name} is not ${tokens} tokens long`);
  return tool;
}
