import type { Contributions } from '../../api/plugin.ts';
import { channels } from './channels.ts';
import { points, provides } from './declared-values.ts';
import { hooks } from './hooks.ts';
import { kind, type Kind } from './kind.ts';
import { liveSources } from './live-sources.ts';
import { metaTools } from './meta-tools.ts';
import { models } from './models.ts';
import { packs } from './packs.ts';
import { requireFunction, requireMember } from './require-function.ts';
import * as unknown from './unknown-members.ts';

type Given<K extends keyof Contributions> = NonNullable<Contributions[K]>;

/** A function that the host calls, with what a plugin does that contributes none. */
const callback = <T extends (...args: never[]) => unknown>(none: T) =>
  kind<T>({
    form: 'a function',
    none,
    check: (given, { entrance }) => entrance.function(given),
  });

/**
 * All kinds of contributions. A new one is a member of `Contributions` and a row here, which doesn't compile while either is
 * missing; checks, unknown members, name conflicts and guards follow from the row.
 */
const kinds = {
  packs,
  sources: liveSources,
  metaTools,
  provides,
  points,
  hooks,
  turn: kind<Given<'turn'>>({
    form: 'an object',
    none: {},
    check(turn, { plugin, entrance }) {
      for (const [name, hook] of Object.entries(turn))
        if (hook !== undefined) requireFunction(plugin, `The turn hook ${name}`, hook);
      return entrance.members(turn, ['message', 'history', 'preTurn', 'postTurn']);
    },
    unknown: unknown.inTurn,
  }),
  // Whoever starts a service enters the plugin's code: what fails in it stops that service alone.
  services: kind<Given<'services'>>({
    form: 'a list',
    none: [],
    check(services, { plugin }) {
      for (const [at, service] of services.entries())
        requireMember(plugin, `Service ${at + 1}`, service, 'start');
      return services;
    },
    unknown: unknown.inServices,
  }),
  channels,
  models,
  commands: kind<Given<'commands'>>({
    form: 'an object',
    none: {},
    check(commands, { plugin, report, entrance }) {
      for (const name of Object.keys(commands))
        if (!Object.hasOwn(plugin.commands, name))
          report(
            'undeclared-command',
            `the plugin brings a command "${name}" that its plugin.yaml doesn't declare, so it can't be called`,
            'declare it under commands:',
          );
      return entrance.members(commands, Object.keys(commands));
    },
  }),
  roots: callback<Given<'roots'>>(() => []),
  mentions: callback<Given<'mentions'>>(() => []),
  checks: callback<Given<'checks'>>(() => []),
  onSecretScrubbed: callback<Given<'onSecretScrubbed'>>(() => {}),
  moving: kind<Given<'moving'>>({
    form: 'an object',
    none: {},
    check: (moving, { entrance }) => entrance.members(moving, ['buildIndexes']),
  }),
} satisfies { readonly [K in keyof Required<Contributions>]: Kind<Given<K>, any> };

type Kinds = typeof kinds;
type KindName = keyof Kinds;

/** What one plugin contributes, checked. A plugin that contributes none of a kind has the kind's `none`. */
export type Contributed = { readonly [K in KindName]: Kinds[K]['none'] };

/** The rows, for code that treats all kinds alike; `satisfies` above holds that their types fit. */
export const rows = Object.entries(kinds) as unknown as readonly (readonly [KindName, Kind<never, never>])[];
