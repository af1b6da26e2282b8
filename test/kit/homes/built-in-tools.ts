import type { Host } from '../../../host/host.ts';
import { systemClock } from '../../../host/core/async/clock.ts';
import type { Tool } from '../../../host/api/tool.ts';
import { isMeta } from '../../../host/tools/meta.ts';
import { askTool } from '../../../plugins/builtin-telegram/tools/ask.ts';
import { pinTools } from '../../../plugins/builtin-telegram/tools/pins.ts';
import { reactTool } from '../../../plugins/builtin-telegram/tools/react.ts';
import { replyToTool } from '../../../plugins/builtin-telegram/tools/reply-to.ts';
import { createWebSearch } from '../../../plugins/builtin-web/web-search.ts';

export interface BuiltInTool {
  readonly tool: Tool;
  readonly isMeta: boolean;
}

/** Every built-in tool, also those that are there only with a token or key. */
export function builtInTools({ registry }: Pick<Host, 'registry'>): readonly BuiltInTool[] {
  const registered = [...registry.snapshot.tools.values()].filter(({ source }) => source.kind === 'builtin');
  const elsewhere = [
    createWebSearch('key'),
    askTool(),
    reactTool({} as never),
    replyToTool({} as never),
    ...pinTools({} as never, systemClock),
  ];
  return [
    ...registered.map((tool) => ({ tool, isMeta: isMeta(tool) })),
    ...elsewhere.map((tool) => ({ tool, isMeta: false })),
  ];
}
