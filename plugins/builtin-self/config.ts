/** The settings of plugin.yaml's `config`, with defaults filled in. */
export interface SelfConfig {
  readonly projectRoot?: string;
  readonly service: string;
  readonly restart?: readonly string[];
  /** A command, or a URL. */
  readonly health?: readonly string[] | string;
  /** Seconds. */
  readonly commandLimit: number;
  readonly healthWithin: number;
  readonly healthFor: number;
}
