import type { Query } from './queries.ts';

/** MCP sessions that their clients have ended, on whichever host. */
export interface EndedSessions {
  /** `session`: a digest of its id. */
  add(session: string): Promise<void>;
  has(session: string): Promise<boolean>;
}

/** A client that has ended its session doesn't come back with it later than this. */
const keptFor = '30 days';

export const createEndedSessions = (query: Query): EndedSessions => ({
  async add(session) {
    await query(`delete from mcp_ended_sessions where ended_at < now() - interval '${keptFor}'`);
    await query('insert into mcp_ended_sessions (session) values ($1) on conflict do nothing', [session]);
  },
  async has(session) {
    return (await query('select from mcp_ended_sessions where session = $1', [session])).length > 0;
  },
});
