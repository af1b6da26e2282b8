import type { Dispatch } from '../api/dispatch.ts';
import type { Snapshot } from '../api/source.ts';
import type { SearchTools } from '../api/services/search.ts';

/** What the meta-tools use. Only used when a call runs, so that tools can be created before the host is complete. */
export interface MetaServices {
  readonly snapshot: () => Snapshot;
  readonly search: SearchTools;
  readonly dispatch: Dispatch;
}
