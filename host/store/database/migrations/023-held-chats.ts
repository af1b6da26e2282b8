/**
 * `channel_holds`: accounts and chats whose service refuses everything for now. `channel_moves`: chats that the service
 * calls otherwise than the home.
 */
const holds = (integer: string): string => `
create table channel_holds (
  channel text not null,
  account text not null,
  chat text not null,
  reason text not null,
  since text not null,
  tries ${integer} not null default 0,
  next_at ${integer} not null,
  probe ${integer},
  told ${integer} not null default 0,
  primary key (channel, account, chat)
)`;

const moves = `
create table channel_moves (
  channel text not null,
  account text not null,
  chat text not null,
  moved_to text not null,
  primary key (channel, account, chat)
)`;

export default {
  sqlite: `${holds('integer')} strict;${moves} strict;`,
  postgres: `${holds('bigint')};${moves};`,
};
