import type { JsonObject, JsonSchema } from '../api/result.ts';

/** A plugin as its plugin.yaml describes it: all that is known before any of its code runs. */
export interface PluginManifest {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  /** Path of the module inside the folder. */
  readonly entry: string;
  readonly requires: PluginRequirements;
  /** JSON Schema of the plugin's settings in pegboard.yaml. Absent: it has none. */
  readonly config?: JsonSchema;
  readonly packs: { readonly [name: string]: PackDeclaration };
  /** Absolute. */
  readonly folder: string;
  /** Absolute path of plugin.yaml. */
  readonly path: string;
  /** Ships with Pegboard: its tools come first when bare names are looked up. */
  readonly builtin: boolean;
}

export interface PackDeclaration {
  /** What its tools are for, in a sentence; searched, and embedded for pack selection. */
  readonly description: string;
  /** Never deselected by relevance. */
  readonly alwaysLoad?: boolean;
}

/** What must be there before the plugin starts. */
export interface PluginRequirements {
  readonly env?: readonly string[];
  readonly secrets?: readonly string[];
  /** Programs on the PATH. */
  readonly binaries?: readonly string[];
  /** Ids of plugins that start first. */
  readonly plugins?: readonly string[];
}

/** The part of pegboard.yaml that concerns one plugin. */
export interface PluginSettings {
  readonly enabled?: boolean;
  readonly config?: JsonObject;
}
