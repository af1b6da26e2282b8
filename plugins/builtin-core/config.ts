/** The settings of plugin.yaml's `config`, defaults filled in. */
export interface CoreConfig {
  readonly roots: readonly string[];
  readonly bash: { readonly confirm: 'always' | 'unsandboxed' | 'dangerous' };
}
