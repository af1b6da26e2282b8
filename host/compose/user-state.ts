import { userStateFolder, type User } from '../core/platform/places.ts';
import { localDocuments } from '../store/documents/documents.ts';
import { openUserState, type UserState } from '../store/owner/user-state.ts';
import { resolverOf } from './home-secrets.ts';
import { sharedPlaceOf } from './shared-state.ts';

/** For code without a host, to read: what this user approved in a home, as this machine last knew it. */
export function storedUserState(home: string, user: User): UserState {
  const root = userStateFolder(user);
  const place = sharedPlaceOf(home, (name) => resolverOf(home, user)(name), root);
  return openUserState(home, root, place && { folder: place.folder, documents: localDocuments });
}
