/** The request of a tool that calls an HTTP API. */
import Type from 'typebox';
import { anyMap, choice, closed, mapOf, text, type Written } from './parts.ts';

export const httpRequest = closed({
  method: Type.Optional(
    choice(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'Of HTTP.', default: 'GET' }),
  ),
  url: text({
    description:
      'The address. {{name}} in its path or query is the value of a parameter, percent-encoded; scheme and host hold none. ${NAME} is taken from the environment or secrets of the host.',
    maxLength: 4_000,
    examples: ['https://api.example.com/pets/{{id}}'],
  }),
  query: Type.Optional(
    mapOf(Type.String(), {
      description:
        'Parameters of the query. "{{name}}" alone repeats it for each item of a list, and one without a value is left out.',
      examples: [{ limit: '{{limit}}' }],
    }),
  ),
  headers: Type.Optional(
    mapOf(Type.String(), {
      description: 'Headers. One whose value is missing is left out.',
      examples: [{ Authorization: 'Bearer ${API_TOKEN}' }],
    }),
  ),
  json: Type.Optional(
    Type.Unknown({
      description:
        'The body as JSON. "{{name}}" alone is the value with its type; a member whose value is missing is left out.',
      examples: [{ name: '{{name}}', tags: '{{tags}}' }],
    }),
  ),
  form: Type.Optional(
    anyMap({
      description: 'The body as a form (application/x-www-form-urlencoded); parts of objects are a[b]=….',
    }),
  ),
  text: Type.Optional(text({ description: 'The body as text.' })),
});

export type WrittenRequest = Written<typeof httpRequest>;
