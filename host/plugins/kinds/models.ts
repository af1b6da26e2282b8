import type { Model, ModelProvider } from '../../api/model.ts';
import type { Contributions } from '../../api/plugin.ts';
import { kind, mapValues } from './kind.ts';
import { requireMember } from './require-function.ts';
import { inProviders } from './unknown-members.ts';

type Models = NonNullable<Contributions['models']>;

/** Model providers by name. A broken one makes the plugin fail. */
export const models = kind<Models>({
  form: 'an object',
  none: {},
  named: 'model provider',
  check: (given, { plugin, entrance: { members } }) => {
    // A spread would lose what a class has.
    const entered = (opened: Model): Model => {
      const { id, contextWindow, nativeTools, maxTools } = opened;
      return { ...members(opened, ['respond']), id, contextWindow, nativeTools, maxTools };
    };
    return mapValues(given, (provider, name): ModelProvider => {
      requireMember(plugin, `The model provider ${name}`, provider, 'open');
      const own = members(provider, ['open', 'list']);
      return { ...own, open: async (settings) => entered(await own.open(settings)) };
    });
  },
  unknown: inProviders,
});
