import { credentialsIn } from '../core/secrets/credentials.ts';
import { isPlainName, isSecretName } from '../core/secrets/secret-names.ts';
import { isSecretHeader, isSecretOption } from '../servers/may-be-secret.ts';

/** In place of what is not shown. */
export const hiddenText = '[secret]';

/**
 * What of a text in a file of settings may be a secret and is not to be shown; undefined for none. Stricter than what is
 * redacted elsewhere: the name of a setting is enough, and all variables and headers of servers count. `names`: of the
 * setting, from the outermost; `before`: the text before it in a list, such as an option of a command. Pure.
 */
export function secretPartsOf(
  names: readonly string[],
  text: string,
  before?: string,
): readonly string[] | undefined {
  if (/^(?:true|false|null|)$/.test(text) || isReference(text)) return undefined;
  const name = names.at(-1) ?? '';
  const isVariable = names.at(-2) === 'headers' || (names[0] === 'mcpServers' && names.at(-2) === 'env');
  if (isVariable || isSecretKey(name) || isSecretKey(optionIn(before))) return [text];
  const found = [...credentialsIn(name, text), ...inOption(text), ...inAddress(text)];
  // A default within a reference, which is not a value by itself.
  for (const [, fallback = ''] of text.matchAll(/\$\{\w+:-([^}]*)\}/g))
    found.push(...credentialsIn(name, fallback));
  return found.length > 0 ? found : undefined;
}

/** Names a variable and says nothing else: "${TOKEN}", "Bearer ${TOKEN}". */
const isReference = (text: string): boolean =>
  /^(?:(?:Bearer|Basic|Token) +)?\$\{[A-Za-z_]\w*\}$/i.test(text);

const isSecretKey = (name: string): boolean =>
  (isSecretName(name) && !isPlainName(name)) || (name !== 'key' && isSecretOption(name));

/** "--api-key" → "api-key" */
const optionIn = (text = ''): string => /^--?([\w-]+)$/.exec(text)?.[1] ?? '';

/** "--token=abc", "X-Auth: abc" */
function inOption(text: string): readonly string[] {
  const [, option = '', value = ''] = /^--?([\w-]+)=(.+)$/s.exec(text) ?? [];
  if (isSecretKey(option)) return [value];
  const [, header = '', content = ''] = /^([\w-]+):\s*(.+)$/s.exec(text) ?? [];
  return isSecretHeader(header) && !isReference(content) ? [content] : [];
}

/** "https://user:abc@example.com/?key=abc" */
function inAddress(text: string): readonly string[] {
  const password = /^[a-z][a-z\d+.-]*:\/\/[^/\s:@]*:([^@/\s]+)@/i.exec(text)?.[1];
  if (password !== undefined && !isReference(password)) return [password, ...inParameters(text)];
  return inParameters(text);
}

function inParameters(text: string): readonly string[] {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return [];
  return [...text.matchAll(/[?&#]([^=&#]+)=([^&#]+)/g)].flatMap(([, name = '', value = '']) =>
    isSecretOption(name) && !isReference(value) ? [value] : [],
  );
}
