export default `
alter table jobs rename column told to reported;
`;
