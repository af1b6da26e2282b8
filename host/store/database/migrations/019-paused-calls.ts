/**
 * What calls that wait for a person need to go on in another process, until they have ended. `version`: of what can read
 * `state`. Bytes, which a redactor can't search, so all rows are deleted when a secret is stored.
 */
const columns = (bytes: string, integer: string): string => `
create table paused_calls (
  message_id ${integer} not null references messages on delete cascade,
  round integer not null,
  call_id text not null,
  version text not null,
  state ${bytes} not null,
  primary key (message_id, round, call_id)
)`;

export default {
  sqlite: `${columns('blob', 'integer')} strict;`,
  postgres: `${columns('bytea', 'bigint')};`,
};
