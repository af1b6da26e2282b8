/** Where each account of a channel goes on receiving, for services that don't keep it themselves. */
const table = `
create table channel_positions (
  channel text not null,
  account text not null,
  position text not null,
  primary key (channel, account)
)`;

export default { sqlite: `${table} strict;`, postgres: `${table};` };
