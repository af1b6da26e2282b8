/** What the files of each running host say. Several hosts of one state are on Postgres alone. */
const postgres = `
create table host_files (
  host text primary key,
  files text not null,
  noted_at text not null
);
`;

export default { sqlite: '', postgres };
