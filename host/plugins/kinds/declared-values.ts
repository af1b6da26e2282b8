import type { Contributions } from '../../api/plugin.ts';
import { kind, type Plugged } from './kind.ts';

type Provides = NonNullable<Contributions['provides']>;
type Points = NonNullable<Contributions['points']>;

/** Values for tokens. Those that plugin.yaml doesn't declare are left out. */
export const provides = kind<Provides>({
  form: 'a list',
  none: [],
  check: (given, plugged) =>
    given
      .filter(({ name }) => isDeclared(name, 'provides', plugged))
      .map(({ name, value }) => ({ name, value: plugged.entrance.value(value) })),
});

/** Entries of lists that other plugins read. Those that plugin.yaml doesn't declare are left out. */
export const points = kind<Points>({
  form: 'a list',
  none: [],
  check: (given, plugged) =>
    given
      .filter(({ point }) => isDeclared(point, 'points', plugged))
      .map(({ point, value }) => ({ point, value: plugged.entrance.value(value) })),
});

function isDeclared(name: string, section: 'provides' | 'points', { plugin, report }: Plugged): boolean {
  if (plugin[section].includes(name)) return true;
  report(
    'undeclared-value',
    `the plugin ${section === 'provides' ? 'provides' : 'adds to'} "${name}", which its plugin.yaml doesn't declare, so nobody gets it`,
    `declare it under ${section}:`,
  );
  return false;
}
