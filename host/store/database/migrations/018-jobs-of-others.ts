/**
 * A background job can be cancelled from another process than its own. The turns of a conversation that wait or run are
 * found without reading those that are over.
 */
const text = `
alter table jobs add column cancel_asked integer not null default 0;
create index channel_events_working on channel_events (channel, conversation) where state = 'working';
`;

export default { sqlite: text, postgres: text };
