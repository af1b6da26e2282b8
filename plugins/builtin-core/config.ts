/** The settings of plugin.yaml's `config`, with defaults filled in. */
export interface CoreConfig {
  readonly roots: readonly (string | { readonly path: string; readonly write?: 'free' | 'ask' })[];
  readonly bash: { readonly confirm: 'always' | 'unsandboxed' | 'unknown' };
}
