/** Settings that every channel supports; a plugin declares those that it offers in its plugin.yaml. */
export interface ChannelSettings {
  /** `listed` are those of ALLOWED_…_IDS and those who were paired. */
  readonly allow: 'listed' | 'everyone';
  /** Which messages of groups are answered. */
  readonly groups: 'addressed' | 'all' | 'none';
  readonly forwarded: 'ignore' | 'answer';
  /** Which confirmations that came up elsewhere are sent to the owner. */
  readonly confirmations: 'unattended' | 'all' | 'none';
  /** Absent: the home's default agent. */
  readonly agent?: string;
  /** Folder for received files that no model can read. Relative to the workspace of the agent that answers. */
  readonly files: string;
}

const defaults: ChannelSettings = {
  allow: 'listed',
  groups: 'addressed',
  forwarded: 'ignore',
  confirmations: 'unattended',
  files: 'inbox',
};

/** Settings that a plugin doesn't declare have their defaults. */
export const settingsOf = (config: object): ChannelSettings => ({ ...defaults, ...config });
