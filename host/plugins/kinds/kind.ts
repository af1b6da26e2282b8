import type { ToolSource } from '../../api/source.ts';
import type { Clock } from '../../api/surroundings.ts';
import type { PluginManifest } from '../loading/manifest.ts';
import type { Entrance } from './entrance.ts';
import type { FoundMember } from './unknown-members.ts';

/** Reports a contribution that is left out. `path`: of the file, if it isn't plugin.yaml. */
type Report = (code: string, message: string, hint?: string, path?: string) => void;

/** What a kind's functions are told beside what the plugin gives. */
export interface Plugged {
  readonly plugin: PluginManifest;
  readonly report: Report;
  readonly entrance: Entrance;
  readonly clock: Clock;
}

/** One kind of what plugins contribute: all that the host has to know about it. */
export interface Kind<Value, Kept = Value, All = readonly Kept[]> {
  /** How a plugin has to write it. */
  readonly form: 'a list' | 'an object' | 'a function';
  /** What a plugin has that contributes none. */
  readonly none: Kept;
  /**
   * What is kept of it, entered by the plugin's guard. Reports what is left out; throws PEG_CONFIG where the plugin must not
   * run without it.
   */
  readonly check: (value: Value, plugged: Plugged) => Kept;
  /** Members that nobody reads. */
  readonly unknown?: (value: Value) => Iterable<FoundMember>;
  /** What one entry is called, where each name belongs to one plugin: "channel". */
  readonly named?: string;
  /** The tools in it. They come and go with the plugin, in one step, and keep it open while they run. */
  readonly sources?: (kept: Kept, plugged: Plugged) => readonly ToolSource[];
  /** What all plugins contribute together, each after those that it requires. */
  readonly combine: (parts: readonly Kept[]) => All;
}

/** Types a row of the table. */
export const kind = <Value, Kept = Value, All = readonly Kept[]>(
  one: Kind<Value, Kept, All>,
): Kind<Value, Kept, All> => one;

/** Ways to combine: a list with one part for each plugin, one list, one object. */
export const list = <T>(parts: readonly T[]): readonly T[] => parts;
export const joined = <T>(parts: readonly (readonly T[])[]): readonly T[] => parts.flat();
export const merged = <T>(parts: readonly { readonly [name: string]: T }[]): { readonly [name: string]: T } =>
  Object.assign({}, ...parts) as { readonly [name: string]: T };

/** The same names with other values. */
export const mapValues = <T, U>(
  values: { readonly [name: string]: T },
  change: (value: T, name: string) => U,
): { readonly [name: string]: U } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
