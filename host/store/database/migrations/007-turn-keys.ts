export default `
alter table messages add column turn_key text;
create unique index messages_turn_key on messages (turn_key) where turn_key is not null;
alter table tool_calls add column ended integer not null default 1;
`;
