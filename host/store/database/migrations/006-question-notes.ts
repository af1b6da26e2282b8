export default `
alter table questions add column notes text;
`;
