import type { JsonObject, JsonSchema } from '../../api/result.ts';
import type { DynamicPack } from './dynamic-packs.ts';

/** A plugin as its plugin.yaml describes it: all that is known before any of its code runs. */
export interface PluginManifest {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  /** Path of the module inside the folder; empty: it has no code. */
  readonly entry: string;
  readonly requires: PluginRequirements;
  /** JSON Schema of the plugin's settings in pegboard.yaml. Absent: it has none. */
  readonly config?: JsonSchema;
  readonly packs: { readonly [name: string]: PackDeclaration };
  /** Words of the command line, by name: "memory why". */
  readonly commands: { readonly [name: string]: CommandDeclaration };
  /** Absolute. */
  readonly folder: string;
  /** Absolute path of plugin.yaml. */
  readonly path: string;
  /** Ships with Pegboard: its tools come first when bare names are looked up. */
  readonly builtin: boolean;
  /** It is no plugin of its own, but TypeScript files of a space. */
  readonly dynamic?: DynamicPack;
}

export interface PackDeclaration {
  /** What its tools are for, in a sentence; searched, and embedded for pack selection. */
  readonly description: string;
  /** Never deselected by relevance. */
  readonly alwaysLoad?: boolean;
  /** Its tools are there only in turns of this channel. */
  readonly channel?: string;
  /** JSON Schemas of what an agent's file may say of the pack. */
  readonly config?: JsonSchema;
  readonly constraints?: JsonSchema;
}

/** A command as the help shows it before any code runs. */
export interface CommandDeclaration {
  readonly summary: string;
  /** Its positional arguments: "ID [TEXT…]"; absent: none. */
  readonly usage?: string;
  readonly options?: {
    /** `value` is what its value is called; absent for a flag. */
    readonly [name: string]: { readonly summary: string; readonly value?: string };
  };
}

/** What must be there before the plugin starts. */
export interface PluginRequirements {
  readonly env?: readonly string[];
  readonly secrets?: readonly string[];
  /** Programs on the PATH. */
  readonly binaries?: readonly string[];
  /** Variables and secrets that it may read if they are there. */
  readonly optional?: readonly string[];
  /** Ids of plugins that start first. */
  readonly plugins?: readonly string[];
}

/** The part of pegboard.yaml that concerns one plugin. */
export interface PluginSettings {
  readonly enabled?: boolean;
  /** An npm package of the home that it comes in, instead of a folder in plugins/. */
  readonly package?: string;
  /** true: its code runs whatever is in it, now and after every change. */
  readonly trusted?: boolean;
  readonly config?: JsonObject;
}
