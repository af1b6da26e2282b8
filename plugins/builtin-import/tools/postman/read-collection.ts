import { PegboardError } from 'pegboard';
import {
  isPasswordPair,
  isSecretName,
  listOf,
  type Members,
  membersOf,
  plural,
  trimmedText,
} from 'pegboard/kit';
import { plainLine } from '../foreign-text.ts';
import { toId, toVariable, uniqueIds } from '../names.ts';
import { privateAddressNotes } from '../private-address.ts';
import type { ReadSource } from '../read-source.ts';
import { collectSecrets, isSecretPair } from '../requests/collect-secrets.ts';
import { exampleToTool } from '../requests/example-to-tool.ts';
import { UnusableRequest } from '../requests/request-example.ts';
import type { LeftOutTool, PlannedTool, ToolPlan } from '../tool-plan.ts';
import { readRequest, textIn, type CollectionVariables } from './read-request.ts';

/** Folders may be nested as deep as anybody makes them. */
const maxDepth = 32;

/** The tools of a Postman collection, version 2.0 or 2.1. Its scripts are not run. Throws PEG_USAGE. */
export function readCollection({ value, from }: ReadSource, givenSpace: string | undefined): ToolPlan {
  const root = membersOf(value);
  const info = membersOf(root['info']);
  if (!Array.isArray(root['item']))
    throw new PegboardError(
      'PEG_USAGE',
      root['openapi'] === undefined
        ? `${from} is not a Postman collection of version 2.1: export it from Postman as "Collection v2.1".`
        : `${from} is an OpenAPI document: use import openapi.`,
    );
  const title = plainLine(info['name']) || 'the collection';
  const space = givenSpace ?? (toId(title) || 'postman');
  const variables = readVariables(root, space);
  const secrets = collectSecrets(space, variables.values);
  const uniqueId = uniqueIds();
  const tools: PlannedTool[] = [];
  const leftOut: LeftOutTool[] = [];
  let scripts = 0;
  const visit = (items: unknown, folder: string | undefined, auth: Members, depth: number): void => {
    for (const item of listOf(items).map(membersOf)) {
      if (listOf(item['event']).length > 0) scripts++;
      const own = item['auth'] === undefined ? auth : membersOf(item['auth']);
      if (item['item'] !== undefined) {
        if (depth < maxDepth) visit(item['item'], folder ?? toId(trimmedText(item['name'])), own, depth + 1);
        continue;
      }
      try {
        const request = readRequest(item, { auth: own, folder, variables });
        tools.push(exampleToTool(request, { secrets, variables: variables.plain, uniqueId }));
      } catch (cause) {
        if (!(cause instanceof UnusableRequest)) throw cause;
        leftOut.push({ what: plainLine(item['name']) || 'a request', why: cause.message });
      }
    }
  };
  visit(root['item'], undefined, membersOf(root['auth']), 0);
  if (listOf(root['event']).length > 0) scripts++;
  return {
    format: 'postman',
    source: title,
    identity: trimmedText(info['_postman_id']) || undefined,
    space,
    tools,
    secrets: secrets.secrets,
    notes: [
      ...privateAddressNotes(tools.map(({ manifest }) => manifest.http?.url ?? '')),
      ...(scripts > 0 ? [`${plural(scripts, 'script')} of the collection will not run`] : []),
    ],
    leftOut,
  };
}

function readVariables(
  root: Members,
  space: string,
): CollectionVariables & {
  readonly values: ReadonlyMap<string, string>;
} {
  const plain = new Map<string, string>();
  const secret = new Map<string, string>();
  const values = new Map<string, string>();
  for (const variable of listOf(root['variable']).map(membersOf)) {
    const name = trimmedText(variable['key']) || trimmedText(variable['id']);
    const value = textIn(variable, 'value');
    if (name === '' || variable['disabled'] === true) continue;
    if (variable['type'] !== 'secret' && !isSecretPair(name, value)) plain.set(name, value);
    else {
      secret.set(name, toVariable(space, name));
      values.set(toVariable(space, name), value.trim());
    }
  }
  return {
    plain,
    values,
    variableOf: (name) => toVariable(space, name),
    secretOf: (name) =>
      secret.get(name) ??
      ((isSecretName(name) || isPasswordPair(name)) && !plain.has(name)
        ? toVariable(space, name)
        : undefined),
  };
}
