/** Where the person stood who began a conversation. */
const column = 'alter table conversations add column folder text;';

export default { sqlite: column, postgres: column };
