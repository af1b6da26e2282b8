/** Where a call or a question comes from, in words: "web" is this page. */
export const askerName = (asker: string): string => (asker === 'web' ? 'the page' : asker);

/** The same with the agent that acts, if any. */
export const whoAsks = ({ asker, agent }: { readonly asker: string; readonly agent?: string }): string =>
  agent === undefined ? askerName(asker) : `${agent}, ${askerName(asker)}`;
