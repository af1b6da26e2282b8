import type { Diagnostic } from '../../../api/diagnostic.ts';

/** What is odd about a server, each thing once: a server that misbehaves a thousand times is reported once. */
export interface ServerWarnings {
  readonly diagnostics: readonly Diagnostic[];
  /** True when it was not on the board already. */
  add(code: string, message: string): boolean;
}

export function createServerWarnings(server: string): ServerWarnings {
  const byCode = new Map<string, Diagnostic>();
  return {
    get diagnostics() {
      return [...byCode.values()];
    },
    add(code, message) {
      if (byCode.has(code)) return false;
      byCode.set(code, { severity: 'warning', code, message: `MCP server "${server}" ${message}` });
      return true;
    },
  };
}
