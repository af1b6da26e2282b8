import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Boundary } from '../../core/files/links.ts';
import type { WrittenPlugin } from '../../formats/plugin.ts';

type OptionalKey = 'config' | 'onDemand' | 'channels' | 'section';

/** A plugin as described by its plugin.yaml, with defaults filled in: everything that is known before its code runs. */
export interface PluginManifest
  extends Required<Omit<WrittenPlugin, OptionalKey>>, Pick<WrittenPlugin, OptionalKey> {
  /** Path of the module inside the folder. Empty when the plugin has no code. */
  readonly entry: string;
  /** Absolute. */
  readonly folder: string;
  /** Its files lie in these folders, links included: the home, and its own folder. */
  readonly boundary: Boundary;
  /** Absolute path of plugin.yaml. */
  readonly path: string;
  /** The plugin ships with Pegboard. Its tools come first when bare names are looked up. */
  readonly builtin: boolean;
  /** The first error in plugin.yaml as it is now. Set where this is what it said before: when it was last read or approved. */
  readonly broken?: Diagnostic;
  /** Set for TypeScript files of a space, which are loaded as a plugin. */
  readonly dynamic?: DynamicPack;
}

/** What a plugin has whose plugin.yaml says nothing of it. */
export const nothingDeclared = {
  requires: {},
  packs: {},
  sources: [],
  metaTools: [],
  provides: [],
  points: [],
  when: [],
  commands: {},
  screens: {},
} satisfies Partial<PluginManifest>;

/** A pack of tools in TypeScript files of a space: one tool per file, without a plugin.yaml. */
export interface DynamicPack {
  readonly space: string;
  /** The space's agent/tools. Files there may import each other and are reloaded together. */
  readonly root: string;
  /** Absolute paths, in order. */
  readonly files: readonly string[];
}
