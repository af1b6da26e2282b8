/**
 * The replies of models whose calls run, until their turn has ended. A call knows its reply, what a model read of it
 * besides text, and whether it was cut off. A turn knows when it was last at work, how
 * often it was begun, and how often its process died.
 */
export default `
create table model_replies (
  id integer primary key autoincrement,
  message_id integer not null references messages on delete cascade,
  round integer not null,
  text text not null,
  calls text not null,
  replay text
) strict;
create unique index model_replies_by_message on model_replies (message_id, round);
alter table tool_calls add column round integer;
alter table tool_calls add column content text;
alter table tool_calls add column uncertain integer not null default 0;
alter table messages add column preamble text;
alter table messages add column active_at text;
alter table messages add column attempts integer not null default 1;
alter table messages add column crashes integer not null default 0;
`;
