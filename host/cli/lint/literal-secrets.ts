import { credentialsIn } from '../../core/secrets/credentials.ts';
import type { McpServerConfig } from '../../sources/mcp/config.ts';

/**
 * Whether an entry may contain a secret in plain text: any value of a variable or header, the secret of a login, and what
 * looks like a credential in its URL or arguments. `${NAME}` is none.
 */
export function holdsLiteralSecret(config: McpServerConfig): boolean {
  const { env = {}, headers = {}, oauth = {}, url = '', args = [] } = config;
  const values = [...Object.values(env), ...Object.values(headers), oauth.clientSecret, oauth.privateKey];
  if (values.some((value = '') => value !== '' && !value.includes('${'))) return true;
  return (
    credentialsIn('url', url).length > 0 ||
    args.some((arg, at) => {
      const [, option, value] = /^-*([^=]+)=(.*)$/.exec(arg) ?? ['', args[at - 1] ?? '', arg];
      return credentialsIn(option ?? '', value ?? '').length > 0;
    })
  );
}
