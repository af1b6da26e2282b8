export default `
alter table jobs add column channel text;
alter table jobs add column chat text;
alter table jobs add column announcement text check (announcement in ('sending', 'delivered', 'failed'));
alter table jobs add column told integer not null default 0;
update jobs set told = 1 where state != 'running';
create index messages_by_external_id on messages (external_id) where external_id is not null;
create index jobs_unannounced on jobs (id) where channel is not null and announcement is null;
`;
