import { createOwnSignals, type OwnSignals } from '../../core/platform/exit-guard.ts';
import type { PluginGuard } from '../plugin-guard.ts';

type AnyFunction = (...args: never[]) => unknown;

/** The way from the host into the code of one plugin: what runs there is known to be the plugin's own. */
export interface Entrance extends Pick<PluginGuard, 'call' | 'isOwn'> {
  readonly ownSignals: OwnSignals;
  /** A function that enters the code. `owner` is its `this`. */
  readonly function: <T extends AnyFunction>(run: T, owner?: unknown) => T;
  /** The object with some of its functions replaced by such that enter the code. */
  readonly members: <T extends object>(owner: T, names: readonly (keyof T)[]) => T;
  /** The value, all of whose functions enter the code. An object keeps its class and its other members. */
  readonly value: (value: unknown) => unknown;
}

export function createEntrance({ call, isOwn }: PluginGuard): Entrance {
  // What came with Pegboard is its own code.
  const ownSignals: OwnSignals = isOwn ? (args) => args : createOwnSignals();
  const enter: Entrance['function'] = (run, owner) =>
    ((...args: unknown[]) =>
      call((): unknown => Reflect.apply(run, owner, ownSignals(args)))) as AnyFunction as typeof run;
  const functionsOf = (owner: object, names: readonly PropertyKey[]): readonly [PropertyKey, AnyFunction][] =>
    names.flatMap((name) => {
      const member: unknown = Reflect.get(owner, name);
      return typeof member === 'function' ? [[name, enter(member as AnyFunction, owner)]] : [];
    });
  return {
    call,
    isOwn,
    ownSignals,
    function: enter,
    members: (owner, names) => ({ ...owner, ...Object.fromEntries(functionsOf(owner, names)) }),
    value(value) {
      if (isOwn) return value;
      if (typeof value === 'function') return enter(value as AnyFunction);
      if (typeof value !== 'object' || value === null) return value;
      const entered = functionsOf(value, namesOf(value)).map(
        ([name, run]) => [name, { value: run }] as const,
      );
      return Object.create(value, Object.fromEntries(entered)) as unknown;
    },
  };
}

/** The members of an object and of its classes. */
function namesOf(value: object): readonly string[] {
  const names = new Set<string>();
  let holder: object | null = value;
  while (holder && holder !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(holder)) if (name !== 'constructor') names.add(name);
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return [...names];
}
