import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import { asSentence, mergeWritten, PegboardError } from 'pegboard';
import { keepWritten, type Members, membersOf, messageOf, stepsOf, trimmedText } from 'pegboard/kit';
import { plainLine } from '../foreign-text.ts';

/** An operation that can't become a tool. The message says why. */
export class UnusableOperation extends Error {}

/** A description of an API, with its references followed where they are needed. */
export interface ApiDocument {
  readonly title: string;
  readonly root: Members;
  /** What the node refers to, or the node itself. Throws UnusableOperation for a reference out of the document. */
  readonly resolve: (node: unknown) => Members;
}

/** A chain of references that is longer leads back to itself. */
const maxReferences = 32;

/** Throws PEG_USAGE for anything but Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2. */
export function openDocument(value: unknown, from: string): ApiDocument {
  const root = upgraded(membersOf(value), from);
  const version = trimmedText(root['openapi']);
  if (!/^3\.[012](?:\.|$)/.test(version))
    throw new PegboardError('PEG_USAGE', `${from} ${whyNot(root, version)}`);
  return {
    title: plainLine(membersOf(root['info'])['title']) || 'the API',
    root,
    resolve(node) {
      let now = membersOf(node);
      for (let count = 0; typeof now['$ref'] === 'string'; count++) {
        if (count === maxReferences) throw new UnusableOperation('its references lead back to themselves');
        const { $ref: reference, ...beside } = now;
        const found = lookUp(root, reference);
        now = Object.keys(beside).length === 0 ? found : mergeWritten(found, keepWritten(now, { ...beside }));
      }
      return now;
    },
  };
}

function lookUp(root: Members, reference: string): Members {
  if (!reference.startsWith('#'))
    throw new UnusableOperation(
      `it refers to another file, ${plainLine(reference)}: join them first, for example with npx @redocly/cli bundle`,
    );
  let now: unknown = root;
  for (const step of reference === '#' ? [] : stepsOf(reference)) {
    if (typeof now !== 'object' || now === null || !Object.hasOwn(now, step))
      throw new UnusableOperation(`the document has no ${plainLine(reference)}`);
    now = (now as Members)[step];
  }
  return membersOf(now);
}

/** Swagger 2.0 as OpenAPI 3.0. It loses how numbers were written, so that those which are rounded are not said. */
function upgraded(root: Members, from: string): Members {
  if (root['swagger'] === undefined) return root;
  try {
    return membersOf(upgradeFromTwoToThree(root));
  } catch (cause) {
    throw new PegboardError(
      'PEG_USAGE',
      `${from} can't be read as OpenAPI 3: ${asSentence(messageOf(cause))}`,
      { cause },
    );
  }
}

function whyNot(root: Members, version: string): string {
  const said = version === '' ? trimmedText(root['swagger']) : version;
  if (said !== '')
    return `is version ${plainLine(said)}; Swagger 2.0 and OpenAPI 3.0 to 3.2 can be imported.`;
  if (trimmedText(membersOf(root['info'])['schema']).includes('postman'))
    return 'is a Postman collection: use import postman.';
  return 'is not an OpenAPI document: it has no "openapi: 3.…" at its beginning.';
}
