/**
 * What a conversation is called, which one it goes on from and up to which message, and the summary that a model reads
 * instead of the messages up to `summary_until`.
 */
const columns = (integer: string): string => `
alter table conversations add column title text;
alter table conversations add column parent_id ${integer};
alter table conversations add column parent_until ${integer};
alter table conversations add column summary text;
alter table conversations add column summary_until ${integer};
alter table conversations add column summary_untrusted text;
`;

export default { sqlite: columns('integer'), postgres: columns('bigint') };
