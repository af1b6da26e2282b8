/**
 * What the MCP servers of several hosts share: keys and tokens, sessions that their clients have ended, logins of clients,
 * the servers that run, and what these send each other. Several hosts of one state are on Postgres alone.
 */
const postgres = `
create table mcp_texts (
  name text primary key,
  text text not null
);
create table mcp_ended_sessions (
  session text primary key,
  ended_at timestamptz not null default now()
);
create table mcp_logins (
  number bigint generated always as identity,
  kind text not null,
  key text not null,
  client text,
  login text,
  payload text not null,
  consumed_at bigint,
  expires_at bigint,
  primary key (kind, key)
);
create index mcp_logins_by_login on mcp_logins (login);
create index mcp_logins_by_expiry on mcp_logins (expires_at);
create table mcp_hosts (
  address text primary key,
  owner text not null,
  code text
);
create table mcp_mail (
  id bigint generated always as identity primary key,
  recipient text not null,
  sender text not null,
  thread text not null,
  body text not null,
  sent_at timestamptz not null default now()
);
create index mcp_mail_by_recipient on mcp_mail (recipient, id);
`;

export default { sqlite: '', postgres };
