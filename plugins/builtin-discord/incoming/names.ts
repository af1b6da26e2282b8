import type { Person } from 'pegboard';
import type { User } from '../wire.ts';

/** "Anna (@anna)" */
export const personOf = ({ id, username, global_name: name }: User): Person => ({
  id,
  name: name ? `${name} (@${username})` : `@${username}`,
});
