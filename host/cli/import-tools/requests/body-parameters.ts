import { hasCredential } from '../../import/suspicious.ts';
import type { WrittenRequest } from '../../../formats/http-request.ts';
import { isSecretPair, type SecretCollector } from './collect-secrets.ts';
import { entriesOf, type ParameterList } from './parameter-list.ts';
import { UnusableRequest, type ExampleBody } from './request-example.ts';

type WrittenBody = Pick<WrittenRequest, 'json' | 'form' | 'text'>;

/** The members of a body become parameters, with the values of the example. */
export function toBody(body: ExampleBody, list: ParameterList, secrets: SecretCollector): WrittenBody {
  switch (body.kind) {
    case 'text':
      if (hasCredential(body.text))
        throw new UnusableRequest('its body is text that seems to contain a password, key or token');
      return body.text.includes('{{') || body.text.includes('${')
        ? { text: list.template(body.text, 'body') }
        : { text: list.example('body', body.text, 'body', 'The body of the request') };
    case 'form':
      return { form: entriesOf(body.pairs, 'form', list, secrets) };
    case 'json':
      return { json: ofJson(body.json, list, secrets) };
  }
}

function ofJson(json: unknown, list: ParameterList, secrets: SecretCollector): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json))
    return isFixed(json)
      ? fixed(json, list, secrets)
      : list.example('body', json, 'body', 'The body of the request');
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, memberOf(name, value, list, secrets)]),
  );
}

function memberOf(name: string, value: unknown, list: ParameterList, secrets: SecretCollector): unknown {
  if (typeof value === 'string' && isSecretPair(name, value))
    return secrets.take(name, value, `${name} of the body`);
  if (value === null || isFixed(value)) return fixed(value, list, secrets);
  return list.example(name, value, 'body');
}

/** Whether it holds secrets or values that have a name already, and so is no value to replace as a whole. */
function isFixed(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{') || value.includes('${');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => (typeof member === 'string' && isSecretPair(name, member)) || isFixed(member),
  );
}

/** The value as it is, with its secrets as `${NAME}`. */
function fixed(value: unknown, list: ParameterList, secrets: SecretCollector): unknown {
  if (typeof value === 'string') return list.template(value, 'body');
  if (Array.isArray(value)) return value.map((item) => fixed(item, list, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && isSecretPair(name, member)
        ? secrets.take(name, member, `${name} of the body`)
        : fixed(member, list, secrets),
    ]),
  );
}
