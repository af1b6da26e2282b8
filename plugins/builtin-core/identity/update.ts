import {
  defineTool,
  identityFiles,
  maxIdentityLength,
  textResult,
  type AgentDirectory,
  type Tool,
} from 'pegboard';
import { identityParts, identityPath } from './files.ts';
import type { ChangePlan } from '../filesystem/edit/change.ts';
import type { FileAccess } from '../filesystem/access/file-access.ts';

export function createIdentityUpdate(agents: AgentDirectory, access: FileAccess): Tool {
  return defineTool({
    name: 'identity_update',
    title: 'Update identity',
    description:
      'Replaces one of the texts that say who you are: soul, identity or user. A person sees the difference and has to agree. Read it with identity_read first, and keep what still holds.',
    category: 'identity',
    tags: ['personality', 'soul', 'user', 'profile', 'remember'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    recordsChanges: true,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['file', 'content'],
      properties: {
        file: { enum: identityParts, description: 'soul, identity or user.' },
        content: {
          type: 'string',
          maxLength: maxIdentityLength,
          description: 'The whole new text.',
        },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['file', 'path', 'size'],
      properties: { file: { type: 'string' }, path: { type: 'string' }, size: { type: 'integer' } },
    },
    async prepare({ file, content }, caller) {
      const path = identityPath(agents, caller.scope, file);
      const name: string = identityFiles[file];
      const { prepareChange } = await import('../filesystem/edit/change.ts');
      const prepared = await prepareChange(access, path, caller, { kind: 'write', content });
      return {
        ...prepared,
        sensitive: `It changes ${name}, which is sent to the model with every message.`,
      };
    },
    async execute({ file }, call) {
      const name: string = identityFiles[file];
      const plan: ChangePlan = call.prepared!.plan!;
      const { applyChange } = await import('../filesystem/edit/change.ts');
      const agent = agents.agentFor(call.scope.agent);
      await agents.changeIdentity(agent, plan.path, plan.after, () => applyChange(access, plan, call));
      return textResult(`${name} is updated and applies from the next message on.`, {
        file,
        path: plan.path,
        size: plan.after.length,
      });
    },
  });
}
