import { PegboardError, defineTool, textResult, type Secrets, type Tool, pegboard } from 'pegboard';
import { actsForModel } from 'pegboard/files';

/** Tools for the home's secrets. None of them reveals a value. */
export function createSecretTools(secrets: Secrets): readonly Tool[] {
  return [createStore(secrets), createList(secrets), createDelete(secrets)];
}

const namedSecret = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
} as const;

const nameOfSecret = {
  type: 'string',
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
  description: 'As a variable is named: GITHUB_TOKEN.',
} as const;

function createStore(secrets: Secrets): Tool {
  return defineTool({
    name: 'secret_store',
    title: 'Store secret',
    description: `Stores a value that nobody should see, such as an API key. Tools whose manifest names it as \${NAME} get it; it is never shown again. A person can do the same without telling you: ${pegboard} secret set NAME.`,
    category: 'secrets',
    tags: ['password', 'token', 'api key', 'credential'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    // Earlier messages that contain the value are redacted in the database.
    timeout: 120,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'value'],
      properties: {
        name: nameOfSecret,
        // writeOnly: excluded wherever arguments are recorded.
        value: {
          type: 'string',
          minLength: 1,
          maxLength: 65_536,
          writeOnly: true,
          description: 'The value.',
        },
      },
    },
    outputSchema: namedSecret,
    // The configuration, plugins and manifests refer to secrets by name, so a new value may change what runs and where
    // keys are sent.
    prepare({ name }, caller) {
      const known = secrets.list().find((secret) => secret.name === name);
      if (!known) {
        const preview = `store the secret ${name}`;
        if (!actsForModel(caller)) return { preview };
        return {
          preview,
          sensitive: `The configuration, plugins and tools get secrets by name. Store the secret ${name}?`,
        };
      }
      return {
        preview: `replace the secret ${name}, stored ${known.at} by ${known.origin}`,
        sensitive: `There is a secret ${name} already; its value would be lost.`,
      };
    },
    async execute({ name, value }) {
      await secrets.set(name, value, 'agent');
      return textResult(`${name} is stored. Manifests get it as \${${name}}.`, { name });
    },
  });
}

function createList(secrets: Secrets): Tool {
  return defineTool({
    name: 'secret_list',
    title: 'List secrets',
    description: 'Lists the names of the stored secrets, never their values.',
    category: 'secrets',
    tags: ['password', 'token', 'api key', 'credential'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: { type: 'object', additionalProperties: false, properties: {} },
    outputSchema: {
      type: 'object',
      required: ['secrets'],
      properties: {
        secrets: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'origin', 'at'],
            properties: {
              name: { type: 'string' },
              origin: { enum: ['owner', 'agent', 'environment'] },
              at: { type: 'string' },
            },
          },
        },
      },
    },
    examples: [{ input: {} }],
    execute() {
      const known = secrets.list();
      const lines = known.map(({ name, origin, at }) => `${name} (since ${at}, by ${origin})`);
      return textResult(lines.join('\n') || 'There are no secrets.', { secrets: known });
    },
  });
}

function createDelete(secrets: Secrets): Tool {
  return defineTool({
    name: 'secret_delete',
    title: 'Delete secret',
    description: 'Deletes a stored secret by its name. Tools that need it stop working.',
    category: 'secrets',
    tags: ['password', 'token', 'api key', 'credential', 'remove'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    confirm: true,
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: { name: nameOfSecret },
    },
    outputSchema: namedSecret,
    async execute({ name }) {
      if (await secrets.delete(name)) return textResult(`${name} is deleted.`, { name });
      const names = secrets.list().map((secret) => secret.name);
      const hint = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
      throw new PegboardError('PEG_TOOL_FAILED', `There is no secret "${name}". ${hint}`);
    },
  });
}
