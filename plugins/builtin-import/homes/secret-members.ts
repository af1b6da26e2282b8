import { isSecretName } from 'pegboard/kit';

/** The names of members that hold a secret, as variables: "channels.telegram.botToken" is TELEGRAM_BOT_TOKEN. */
export function secretMembers(settings: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => {
    const here = Array.isArray(settings) ? path : [...path, name];
    if (typeof value === 'string')
      return value !== '' && !value.startsWith('${') && isSecretName(name) ? [variableOf(here)] : [];
    return secretMembers(value, here);
  });
}

const variableOf = (path: readonly string[]): string =>
  path
    .slice(-2)
    .join('_')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replace(/\W+/g, '_')
    .toUpperCase();
