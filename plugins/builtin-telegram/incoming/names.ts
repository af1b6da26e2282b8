import type { User } from 'grammy/types';
import type { Person } from 'pegboard';

export const personOf = (user: User): Person => ({ id: String(user.id), name: shownName(user) });

/** A name for display only, without characters that could spoof other text in a terminal. */
export function shownName({ first_name: first, last_name: last, username }: User): string {
  const name = [first, last, username && `(@${username})`].filter(Boolean).join(' ');
  return name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').slice(0, 80);
}
