/** The settings of plugin.yaml's `config`, with defaults filled in. */
export interface WebConfig {
  readonly allowHosts: readonly string[];
  readonly maxMegabytes: number;
}
