/** Settings that every channel understands; a plugin declares those that it offers in its plugin.yaml. */
export interface ChannelSettings {
  /** `listed` are those of ALLOWED_…_IDS and those who were paired. */
  readonly allow: 'listed' | 'everyone';
  /** Which messages of groups are answered. */
  readonly groups: 'addressed' | 'all' | 'none';
  readonly forwarded: 'ignore' | 'answer';
  /** Which confirmations of other places the owner is asked for. */
  readonly confirmations: 'unattended' | 'all' | 'none';
  /** Absent: the home's default agent. */
  readonly agent?: string;
  /** Where files are kept that no model can read. Relative to the workspace of the agent that answers. */
  readonly files: string;
}

const defaults: ChannelSettings = {
  allow: 'listed',
  groups: 'addressed',
  forwarded: 'ignore',
  confirmations: 'unattended',
  files: 'inbox',
};

/** What a plugin doesn't declare has its default. */
export const settingsOf = (config: object): ChannelSettings => ({ ...defaults, ...config });
