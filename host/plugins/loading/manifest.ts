import type { JsonObject, JsonSchema } from '../../api/result.ts';

/** A plugin as described by its plugin.yaml: everything that is known before its code runs. */
export interface PluginManifest {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  /** Path of the module inside the folder. Empty when the plugin has no code. */
  readonly entry: string;
  /** Calls of other tools, outside of turns, do without its code: see `deferrable`. */
  readonly onDemand?: boolean;
  readonly requires: PluginRequirements;
  /** JSON Schema of the plugin's settings in pegboard.yaml. Absent: the plugin has no settings. */
  readonly config?: JsonSchema;
  readonly packs: { readonly [name: string]: PackDeclaration };
  /** Commands by name: "memory why". */
  readonly commands: { readonly [name: string]: CommandDeclaration };
  /** Absolute. */
  readonly folder: string;
  /** Absolute path of plugin.yaml. */
  readonly path: string;
  /** The plugin ships with Pegboard. Its tools come first when bare names are looked up. */
  readonly builtin: boolean;
  /** Set for TypeScript files of a space, which are loaded as a plugin. */
  readonly dynamic?: DynamicPack;
}

/** A pack of tools in TypeScript files of a space: one tool per file, without a plugin.yaml. */
export interface DynamicPack {
  readonly space: string;
  /** The space's agent/tools. Files there may import each other and are reloaded together. */
  readonly root: string;
  /** Absolute paths, in order. */
  readonly files: readonly string[];
}

interface PackDeclaration {
  /** The purpose of its tools in one sentence. Searched, and embedded for pack selection. */
  readonly description: string;
  /** The names of its tools, where they are known before its code runs. Others are left out. */
  readonly tools?: readonly string[];
  /** Never deselected by relevance. */
  readonly alwaysLoad?: boolean;
  /** Its tools are available only in turns of this channel. */
  readonly channel?: string;
  /** JSON Schemas of the settings for the pack in an agent's file. */
  readonly config?: JsonSchema;
  readonly constraints?: JsonSchema;
}

/** A command as the help shows it before any code runs. */
export interface CommandDeclaration {
  readonly summary: string;
  /** The positional arguments: "ID [TEXT…]". Absent: none. */
  readonly usage?: string;
  readonly options?: {
    /** `value` is the placeholder for the option's value. Absent for a flag. */
    readonly [name: string]: { readonly summary: string; readonly value?: string };
  };
}

/** Requirements that must be met before the plugin starts. */
export interface PluginRequirements {
  readonly env?: readonly string[];
  readonly secrets?: readonly string[];
  /** Programs on the PATH. */
  readonly binaries?: readonly string[];
  /** Variables and secrets that it may read if they are set. */
  readonly optional?: readonly string[];
  /** Ids of plugins that must start first. */
  readonly plugins?: readonly string[];
}

/** The settings of one plugin in pegboard.yaml. */
export interface PluginSettings {
  readonly enabled?: boolean;
  /** The npm package in the home that contains the plugin, instead of a folder in plugins/. */
  readonly package?: string;
  /** True: the plugin's code is trusted, now and after every change. */
  readonly trusted?: boolean;
  readonly config?: JsonObject;
}
