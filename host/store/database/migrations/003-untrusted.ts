export default `
alter table messages add column untrusted text;
`;
