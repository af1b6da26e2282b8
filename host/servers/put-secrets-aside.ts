import { credentialsIn } from '../core/secrets/credentials.ts';
import type { McpServerConfig } from '../sources/mcp/config.ts';
import { isSecretHeader, isSecretOption, mayBeSecret } from './may-be-secret.ts';

/** An entry with `${NAME}` in place of its secrets, and their values by these names. */
export interface WithoutSecrets {
  readonly config: McpServerConfig;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Takes out of a server's entry what may be a secret: values of variables, headers and the login, credentials in the
 * address, and in arguments. What is a reference already stays. `known` is the value that a name has here; a name that has
 * another one is not used.
 */
export function putSecretsAside(
  server: string,
  config: McpServerConfig,
  known: (name: string) => string | undefined,
): WithoutSecrets {
  const secrets = new Map<string, string>();
  const aside = (about: string, value: string): string => {
    const plain = `${server}_${about}`.replaceAll(/\W+/g, '_').toUpperCase();
    const name = /^\d/.test(plain) ? `_${plain}` : plain;
    const isFree = (wanted: string): boolean => (secrets.get(wanted) ?? known(wanted) ?? value) === value;
    let free = name;
    for (let next = 2; !isFree(free); next++) free = `${name}_${next}`;
    secrets.set(free, value);
    return `\${${free}}`;
  };
  const withoutCredentials = (about: string, name: string, text: string): string =>
    credentialsIn(name, text).reduce(
      (rest, credential) => rest.replaceAll(credential, () => aside(about, credential)),
      text,
    );
  const values = (members: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        value !== '' && !value.includes('${') && mayBeSecret(name, value) ? aside(name, value) : value,
      ]),
    );
  const argument = (arg: string, at: number, all: readonly string[]): string => {
    if (arg.includes('${')) return arg;
    const [, assigned = '', name, value] = /^((?:--?)?([A-Za-z][\w.-]*)=)(.*)$/s.exec(arg) ?? [];
    if (name !== undefined && value !== undefined)
      return isSecretOption(name) && value !== ''
        ? `${assigned}${aside(name, value)}`
        : `${assigned}${withoutCredentials(name, name, value)}`;
    const option = /^--?([A-Za-z][\w.-]*)$/.exec(all[at - 1] ?? '')?.[1];
    if (option !== undefined && isSecretOption(option) && !arg.startsWith('-')) return aside(option, arg);
    const [, begin = '', header, content = ''] = /^(([A-Za-z][\w-]*):[ \t]*)([^/\s].*)$/s.exec(arg) ?? [];
    const isHeader = option !== undefined && /^(?:h|headers?)$/i.test(option);
    if (header !== undefined && (isSecretHeader(header) || (isHeader && mayBeSecret(header, content))))
      return `${begin}${aside(header, content)}`;
    return withoutCredentials(option ?? `argument_${at + 1}`, option ?? '', arg);
  };
  /** `user:password@`, and parameters such as `?token=`, of any length. */
  const address = (url: string): string => {
    if (url.includes('${')) return url;
    const plain = url
      .replace(
        /^([a-z][\w+.-]*:\/\/[^/?#@:]*:)([^/?#@]+)(?=@)/i,
        (_, before: string, password: string) => `${before}${aside('password', password)}`,
      )
      .replaceAll(/([?&#])([\w.-]+)=([^&#]+)/g, (whole, mark: string, name: string, value: string) =>
        isSecretOption(name) ? `${mark}${name}=${aside(name, value)}` : whole,
      );
    return plain.includes('${') ? plain : withoutCredentials('url', 'url', plain);
  };
  const login = ({ clientSecret, privateKey }: NonNullable<McpServerConfig['oauth']>) =>
    values({
      ...(clientSecret !== undefined && { clientSecret }),
      ...(privateKey !== undefined && { privateKey }),
    });
  const { env, headers, oauth, url, args } = config;
  return {
    config: {
      ...config,
      ...(url !== undefined && { url: address(url) }),
      ...(args && { args: args.map(argument) }),
      ...(env && { env: values(env) }),
      ...(headers && { headers: values(headers) }),
      ...(oauth && { oauth: { ...oauth, ...login(oauth) } }),
    },
    secrets,
  };
}
