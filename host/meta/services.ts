import type { Dispatch } from '../api/dispatch.ts';
import type { Snapshot } from '../api/source.ts';
import type { SearchTools } from '../search/search-tools.ts';

/** What the meta-tools work with. Each is asked when a call runs, so that a tool may be made before its host is whole. */
export interface MetaServices {
  readonly snapshot: () => Snapshot;
  readonly search: SearchTools;
  readonly dispatch: Dispatch;
}
