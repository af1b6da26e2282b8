/** The settings of plugin.yaml's `config`, defaults filled in. */
export interface SelfConfig {
  readonly projectRoot?: string;
  readonly service: string;
  readonly restart?: readonly string[];
  /** A command, or an address. */
  readonly health?: readonly string[] | string;
  /** Seconds. */
  readonly commandLimit: number;
  readonly healthWithin: number;
  readonly healthFor: number;
}
