import { isPasswordPair, writtenNumber, type WrittenRequest } from 'pegboard/kit';
import { holdsSecret, isSecretPair, type SecretCollector } from './collect-secrets.ts';
import { entriesOf, isRounded, type ParameterList } from './parameter-list.ts';
import { UnusableRequest, type ExampleBody } from './request-example.ts';

type WrittenBody = Pick<WrittenRequest, 'json' | 'form' | 'text'>;

/** The members of a body become parameters, with the values of the example. */
export function toBody(body: ExampleBody, list: ParameterList, secrets: SecretCollector): WrittenBody {
  switch (body.kind) {
    case 'text':
      if (holdsSecret(body.text))
        throw new UnusableRequest('its body is text that seems to contain a password, key or token');
      return body.text.includes('{{') || body.text.includes('${')
        ? { text: list.template(body.text, 'body') }
        : { text: list.example('body', body.text, 'body', { description: 'The body of the request' }) };
    case 'form':
      return { form: entriesOf(body.pairs, 'form', list, secrets) };
    case 'json':
      return { json: ofJson(body.json, list, secrets) };
  }
}

function ofJson(json: unknown, list: ParameterList, secrets: SecretCollector): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json))
    return isFixed('', json)
      ? itemsOf('', json, list, secrets)
      : list.example('body', json, 'body', { description: 'The body of the request' });
  return membersOf(json, (name, value) =>
    value === null || isFixed(name, value)
      ? fixed(name, value, list, secrets, json)
      : list.example(name, value, 'body', { written: writtenNumber(json, name) }),
  );
}

const membersOf = (json: object, of: (name: string, value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, of(name, value)]));

/** Whether it holds secrets or values that have a name already, and so is no value to replace as a whole. */
function isFixed(name: string, value: unknown): boolean {
  if (isSecret(name, value)) return true;
  if (typeof value === 'string') return value.includes('{{') || value.includes('${');
  if (Array.isArray(value)) return value.some((item) => isFixed(itemName(name), item));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([inner, member]) => isFixed(inner, member));
}

const isSecret = (name: string, value: unknown): boolean =>
  typeof value === 'string' ? isSecretPair(name, value) : typeof value === 'number' && isPasswordPair(name);

/** What one of the passwords is. */
const itemName = (list: string): string => (/(?<!s)s$/.test(list) ? list.slice(0, -1) : list);

/** The value as it is, with its secrets as `${NAME}`. `holder`: has the value as a member. */
function fixed(
  name: string,
  value: unknown,
  list: ParameterList,
  secrets: SecretCollector,
  holder: object,
): unknown {
  if (typeof value === 'string')
    return isSecret(name, value)
      ? secrets.take(name, value, `${name} of the body`)
      : list.template(value, 'body');
  if (typeof value === 'number') {
    const written = writtenNumber(holder, name);
    // A secret is text, and what was a number stays one.
    if (isSecret(name, value)) return list.given(name, value, 'body');
    return isRounded(value, written) ? list.example(name, value, 'body', { written }) : value;
  }
  if (Array.isArray(value)) return itemsOf(name, value, list, secrets);
  if (typeof value !== 'object' || value === null) return value;
  return membersOf(value, (inner, member) => fixed(inner, member, list, secrets, value));
}

const itemsOf = (
  name: string,
  items: readonly unknown[],
  list: ParameterList,
  secrets: SecretCollector,
): readonly unknown[] => items.map((item) => fixed(itemName(name), item, list, secrets, items));
