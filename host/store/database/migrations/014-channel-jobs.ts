/**
 * The turns of channels are jobs in a queue: an event knows its job, whether that has begun, the event whose turn answers
 * it too, and whether it was edited or is to be stopped meanwhile. A question can be answered on any host.
 */
const text = `
alter table channel_events add column job text;
alter table channel_events add column begun integer not null default 0;
alter table channel_events add column joined integer;
alter table channel_events add column rewritten integer not null default 0;
alter table channel_events add column threaded integer not null default 0;
alter table channel_events add column stop_asked integer not null default 0;
create index channel_events_joined on channel_events (joined) where joined is not null;
alter table channel_asks add column step text;
`;

export default { sqlite: text, postgres: text };
