import { resolve } from 'node:path';
import type { HostConfig } from '../../config.ts';
import {
  officialRegistry,
  openRegistry,
  type ServerRegistry,
} from '../../sources/mcp/registry/open-registry.ts';

/** The registry that a home names, else the official one. */
export function openHomeRegistry(
  home: string,
  { mcpRegistry = officialRegistry }: Pick<HostConfig, 'mcpRegistry'>,
): ServerRegistry {
  return openRegistry(isUrl(mcpRegistry) ? mcpRegistry : resolve(home, mcpRegistry));
}

export const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);
