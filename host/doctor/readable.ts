import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pegboard } from '../core/own-command.ts';
import type { Check } from '../api/diagnostic.ts';
import { readDocument } from '../core/documents/document.ts';
import { pointerTo } from '../core/documents/pointer.ts';
import { configFiles } from '../core/files/config-files.ts';
import { isWithin } from '../core/files/paths.ts';
import { loosePaths } from '../core/files/private-data.ts';
import { userStateFolder, type User } from '../core/platform/places.ts';
import { credentialsIn } from '../core/secrets/credentials.ts';
import { readTextFile } from '../core/files/text-file.ts';
import { failed, warning } from '../status/check.ts';

/** Checked before a host opens, because opening makes these files private. */
export function checkLoose(home: string, user: User): readonly Check[] {
  const open = loosePaths(home, userStateFolder(user));
  if (open.length === 0) return [];
  return [
    warning(
      'data',
      `other users of this machine could read ${listed(open, home)}`,
      'nothing to do: only you can read it now',
    ),
  ];
}

const listed = (paths: readonly string[], home: string): string =>
  `${shown(paths[0]!, home)}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}`;

const shown = (path: string, home: string): string => (isWithin(home, path) ? relative(home, path) : path);

/** What others on this machine can read or change, and secrets in files that are easily copied along. */
export function* checkReadable(home: string, user: User): Iterable<Check> {
  yield* written(home);
  const userState = userStateFolder(user);
  const open = loosePaths(home, userState);
  if (open.length > 0)
    yield failed(
      'data',
      `other users of this machine may read ${listed(open, home)}, which can't be changed from here`,
      `chmod -R go-rwx ${[join(home, 'data'), userState].join(' ')}`,
    );
  const loose = ['.', ...configFiles, 'plugins', 'spaces', 'data']
    .map((name) => join(home, name))
    .filter((path) => othersCan(path, 0o002, home));
  if (loose.length > 0)
    yield failed(
      'home',
      `other users of this machine can change what runs here: ${loose.map((path) => relative(home, path) || home).join(', ')}`,
      `chmod -R o-w ${home}`,
    );
}

/** Whether everybody has this right, and may reach the path. */
function othersCan(path: string, right: number, home: string): boolean {
  if ((modeOf(path) & right) === 0) return false;
  for (let folder = dirname(path); folder.length >= home.length; folder = dirname(folder))
    if ((modeOf(folder) & 0o001) === 0) return false;
  return true;
}

const modeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;

function* written(home: string): Iterable<Check> {
  for (const name of configFiles) {
    const path = join(home, name);
    const file = readTextFile(path, [home]);
    if (file.text === undefined) continue;
    const document = readDocument(file.text, { path, format: name.endsWith('.json') ? 'json' : 'yaml' });
    for (const { pointer, key } of secretsIn(document.value, '', '')) {
      const { line } = document.locate(pointer);
      const variable = key.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
      const check = othersCan(path, 0o004, home) ? failed : warning;
      yield check(
        'secrets',
        `${name}:${line} contains a secret in plain text (${pointer.slice(1).replaceAll('/', '.')})`,
        `${pegboard} secret set ${variable}, then write \${${variable}} there`,
      );
    }
  }
}

function* secretsIn(
  value: unknown,
  key: string,
  pointer: string,
): Iterable<{ readonly pointer: string; readonly key: string }> {
  if (typeof value === 'string') {
    if (credentialsIn(key, value).length > 0) yield { pointer, key };
  } else if (value !== null && typeof value === 'object') {
    for (const [name, item] of Object.entries(value))
      yield* secretsIn(item, Array.isArray(value) ? key : name, pointer + pointerTo(name));
  }
}
