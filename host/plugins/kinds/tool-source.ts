import type { SourceKind } from '../../api/source.ts';
import type { PluginManifest } from '../loading/manifest.ts';

/** The kind of a plugin's sources: the host says whose tools they are. */
export const sourceKind = ({ builtin, dynamic }: PluginManifest): SourceKind =>
  builtin ? 'builtin' : dynamic ? 'manifest' : 'plugin';
