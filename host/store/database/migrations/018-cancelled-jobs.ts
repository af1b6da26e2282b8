/** A background job can be cancelled from another process than its own. */
const text = `
alter table jobs add column cancel_asked integer not null default 0;
`;

export default { sqlite: text, postgres: text };
