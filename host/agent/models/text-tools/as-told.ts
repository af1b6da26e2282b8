import type { Logger } from '../../../api/log.ts';
import type { Model } from '../../../api/model.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { ModelFailureData } from '../failure.ts';
import { refusesTools } from '../quirks.ts';

/**
 * `native_tool_use`: true sends tools to the provider, false writes them into the prompt, auto begins natively and goes
 * over to text for good when the provider refuses tools.
 */
export function withToolsAsTold(model: Model, told: boolean | 'auto', log: Logger): Model {
  if (told === true) return model;
  const text = openTextTools(model);
  if (told === false) return text;
  let current = model;
  return {
    id: model.id,
    contextWindow: model.contextWindow,
    get nativeTools() {
      return current.nativeTools;
    },
    get maxTools() {
      return current.maxTools;
    },
    async respond(request, onEvent) {
      try {
        return await current.respond(request, onEvent);
      } catch (thrown) {
        if (current === text || request.tools.length === 0 || !isAboutTools(thrown)) throw thrown;
        log.info(`${model.id} takes no tools: they are described in its prompt from now on`);
        current = text;
        onEvent({
          type: 'restart',
          reason: `${model.id} takes no tools; asking with tools described in text.`,
        });
        return current.respond(request, onEvent);
      }
    },
  };
}

/** The formats are two thirds of all there is to load for models, and most models need none of them. */
function openTextTools(model: Model): Model {
  return {
    id: model.id,
    contextWindow: model.contextWindow,
    nativeTools: false,
    async respond(request, onEvent) {
      const { withTextTools } = await import('./with-text-tools.ts');
      return withTextTools(model).respond(request, onEvent);
    },
  };
}

function isAboutTools(thrown: unknown): boolean {
  if (!(thrown instanceof PegboardError)) return false;
  const { status = 0 } = (thrown.data ?? {}) as Partial<ModelFailureData>;
  return refusesTools(status, thrown.message);
}
