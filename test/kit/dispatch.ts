import type { CallRequest } from '../../host/api/dispatch.ts';
import type { Artifacts } from '../../host/api/store/artifacts.ts';
import type { ToolResult } from '../../host/api/result.ts';
import type { ToolSource } from '../../host/api/source.ts';
import type { Tool } from '../../host/api/tool.ts';
import { silentLogger } from '../../host/core/log.ts';
import { createRedactor } from '../../host/core/secrets/redact.ts';
import { createDispatch } from '../../host/dispatch/dispatch.ts';
import type { DispatchOptions } from '../../host/dispatch/pipeline.ts';
import { createHookTable, type HookOwner } from '../../host/dispatch/hook-table.ts';
import { hostScope } from '../../host/tools/access.ts';
import { createRegistry } from '../../host/tools/registry.ts';
import { memorySource } from './source.ts';

/** Registry and dispatch without a home. */
export async function kernel(
  tools: readonly Tool[] | ToolSource,
  options: { readonly hooks?: readonly HookOwner[] } & Partial<
    Omit<DispatchOptions, 'hooks' | 'registry'>
  > = {},
) {
  const registry = createRegistry(silentLogger);
  const source = 'list' in tools ? tools : memorySource(tools);
  const handle = await registry.add(source);
  const approved = new Map<string, string>();
  const redactor = createRedactor();
  const table = createHookTable(options.hooks ?? [], silentLogger);
  const dispatch = createDispatch({
    registry,
    approvals: {
      isApproved: (id, fingerprint) => approved.get(id) === fingerprint,
      approve: async (id, fingerprint) => void approved.set(id, fingerprint),
    },
    artifacts: memoryArtifacts(),
    redactor,
    confirmPolicy: () => 'manifest',
    outputLimit: () => 30_000,
    log: silentLogger,
    ...options,
    hooks: () => table,
  });
  const call = (name: string, args: unknown = {}, request: Partial<CallRequest> = {}): Promise<ToolResult> =>
    dispatch({ name, args, scope: hostScope, caller: 'test', ...request });
  return { registry, handle, dispatch, call, approved, redactor };
}

export function memoryArtifacts(): Artifacts {
  const kept: string[] = [];
  return {
    write: async (text) => `a${kept.push(text) - 1}`,
    async read(id, offset, limit) {
      const text = kept[Number(id.slice(1))]!;
      return { text: text.slice(offset, offset + limit), offset, total: text.length };
    },
  };
}
