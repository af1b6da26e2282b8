/** The settings of plugin.yaml's `config`, defaults filled in. */
export interface SelfConfig {
  readonly projectRoot?: string;
  readonly service: string;
  readonly restart?: readonly string[];
  readonly health?: readonly string[];
  /** Seconds. */
  readonly commandLimit: number;
  readonly healthWithin: number;
  readonly healthFor: number;
}
