import type { Model } from '../../../../../host/api/model.ts';
import type { PluginServices } from '../../../../../host/plugins/context.ts';

type Role = 'observe' | 'promote' | 'reflect' | 'graph';

export interface ScriptedWorker {
  /** For openPluginHome, with `environment`. */
  readonly services: Pick<PluginServices, 'model'>;
  readonly environment: { readonly [name: string]: string };
  /** Its requests, in order, with the text. */
  readonly asked: readonly { readonly role: Role; readonly text: string }[];
}

type Answer = string | object | Error | ((text: string) => string | object | Error | Promise<object>);

/** The memory's worker model, which answers each kind of question as the script says. */
export function scriptedWorker(script: { readonly [role in Role]?: Answer }): ScriptedWorker {
  const asked: { role: Role; text: string }[] = [];
  const usage = { input: 0, output: 0 };
  const model: Model = {
    id: 'scripted/worker',
    contextWindow: 32_000,
    nativeTools: true,
    async respond({ messages }) {
      const [system, user] = messages.map((message) =>
        message.role === 'user' ? textOf(message.content) : 'text' in message ? message.text : '',
      ) as [string, string];
      const role = roleOf(system);
      asked.push({ role, text: user });
      const given = script[role] ?? [];
      const answer = typeof given === 'function' ? await given(user) : given;
      if (answer instanceof Error) throw answer;
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return { text, toolCalls: [], usage, model: 'scripted/worker', finish: 'stop' };
    },
  };
  return {
    services: { model: () => Promise.resolve(model) },
    environment: { MEMORY_WORKER_MODEL: 'scripted/worker' },
    asked,
  };
}

const textOf = (content: readonly { readonly type: string }[]): string =>
  content.map((block) => (block as { text?: string }).text ?? '').join('');

function roleOf(instructions: string): Role {
  if (instructions.includes('keep the notes of an assistant short')) return 'reflect';
  if (instructions.includes('what becomes of new notes')) return 'promote';
  return instructions.includes('keep the notes') ? 'observe' : 'graph';
}
