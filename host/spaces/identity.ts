import { join } from 'node:path';
import { identityFiles, type Identity } from '../api/agent.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Boundary } from '../core/files/links.ts';
import { readIdentity } from '../sources/manifests/files/identity-files.ts';
import { createFileReader } from './file-reader.ts';

export interface FoundIdentity {
  readonly identity: Identity;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and rereads the identity files of a space. `identity` stays the same object while they don't change. */
export function createIdentityReader(
  folder: string,
  boundary: Boundary,
): {
  read(isLeftOut: (path: string) => boolean): Promise<FoundIdentity>;
} {
  const reader = createFileReader(boundary, readIdentity);
  let last: Identity = {};
  return {
    async read(isLeftOut) {
      const texts: { -readonly [part in keyof Identity]: string } = {};
      const diagnostics: Diagnostic[] = [];
      for (const [part, name] of Object.entries(identityFiles)) {
        const path = join(folder, name);
        const file = isLeftOut(path) ? undefined : await reader.read(path);
        diagnostics.push(...(file?.diagnostics ?? []));
        if (file?.value) texts[part as keyof Identity] = file.value;
      }
      if (JSON.stringify(texts) !== JSON.stringify(last)) last = texts;
      return { identity: last, diagnostics };
    },
  };
}
