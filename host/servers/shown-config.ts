import { quoteWord } from '../core/text/shell-words.ts';
import type { McpServerConfig } from '../sources/mcp/config.ts';
import { putSecretsAside } from './put-secrets-aside.ts';

/** As it would be stored: with references in place of what may be a secret. */
export const shownConfig = (name: string, config: McpServerConfig): McpServerConfig =>
  putSecretsAside(name, config, () => undefined).config;

/** The exact command or URL, each word as it is passed. */
export const commandOf = ({ command, args = [], url = '' }: McpServerConfig): string =>
  command === undefined ? url : [command, ...args].map(quoteWord).join(' ');
