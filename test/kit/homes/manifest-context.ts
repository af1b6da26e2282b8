import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import { createRedactor } from '../../../host/core/secrets/redact.ts';
import type { ManifestContext } from '../../../host/sources/manifests/run/context.ts';

/**
 * What tools of manifests need from a host: without variables, secrets and MCP servers, and with permission to run all
 * code.
 */
export function manifestContext(own: Partial<ManifestContext> = {}): ManifestContext {
  return {
    resolve: () => undefined,
    user: processSurroundings(),
    redactor: createRedactor(),
    isSecret: () => false,
    runnableFile: (_root, file) => file,
    checkPinned: () => {},
    runMcp: () => Promise.reject(new Error('no MCP server here')),
    runScript: () => Promise.reject(new Error('no scripts here')),
    runBridge: () => Promise.reject(new Error('no person here')),
    fileOrigins: {
      note: async () => {},
      noteWritten: async () => {},
      of: () => undefined,
      ofAny: () => undefined,
      namedIn: () => undefined,
      readBy: () => undefined,
      within: () => undefined,
    },
    linkTargets: [],
    ...own,
  };
}
