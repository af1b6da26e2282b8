import type { SourceKind, ToolSource } from '../../api/source.ts';
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
export interface Kind<Value, Kept = Value> {
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
}

/** Types a row of the table. */
export const kind = <Value, Kept = Value>(one: Kind<Value, Kept>): Kind<Value, Kept> => one;

/** Reports members that nobody reads. `path`: of their file, if it isn't plugin.yaml. */
export function reportUnknown(
  found: Iterable<FoundMember>,
  { plugin, report }: Pick<Plugged, 'plugin' | 'report'>,
  path?: string,
): void {
  for (const { owner, verb, name, nearest } of found)
    report(
      'unknown-member',
      `plugin ${plugin.id}: ${owner} ${verb} an unknown member "${name}", which is ignored`,
      nearest === undefined ? undefined : `${name} → ${nearest}?`,
      path,
    );
}

/** The kind of a plugin's sources: the host says whose tools they are. */
export const sourceKind = ({ builtin, dynamic }: PluginManifest): SourceKind =>
  builtin ? 'builtin' : dynamic ? 'manifest' : 'plugin';

/** The same names with other values. */
export const mapValues = <T, U>(
  values: { readonly [name: string]: T },
  change: (value: T, name: string) => U,
): { readonly [name: string]: U } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
