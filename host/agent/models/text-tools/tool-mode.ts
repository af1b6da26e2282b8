import type { Logger } from '../../../api/log.ts';
import type { Model } from '../../../api/model.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { ModelFailureData } from '../failure.ts';
import { refusesTools } from '../wire/quirks.ts';

/**
 * `native_tool_use`: true sends tools to the provider, false writes them into the prompt, auto starts natively and
 * switches to text permanently when the provider refuses tools, or the model calls them in text anyway. With true,
 * calls in text are parsed too.
 */
export function withToolMode(model: Model, nativeToolUse: boolean | 'auto', log: Logger): Model {
  const text = openTextTools(model);
  if (nativeToolUse === false) return text;
  const switchToText = (why: string): void => {
    if (nativeToolUse !== 'auto' || current === text) return;
    log.info(`${model.id} ${why}: from now on, its tools are described in the prompt`);
    current = text;
  };
  const native = openRecovery(model, () => switchToText('calls tools in text'));
  let current = native;
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
        if (nativeToolUse === true || current === text || request.tools.length === 0 || !isAboutTools(thrown))
          throw thrown;
        switchToText('does not support tools');
        onEvent({
          type: 'restart',
          reason: `${model.id} does not support tools; retrying with the tools described in its prompt.`,
        });
        return current.respond(request, onEvent);
      }
    },
  };
}

/** The formats are two thirds of the code for models, so they are loaded on first use. */
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

function openRecovery(model: Model, onRecovered: () => void): Model {
  return {
    ...model,
    async respond(request, onEvent) {
      const { withRecovery } = await import('./with-recovery.ts');
      return withRecovery(model, onRecovered).respond(request, onEvent);
    },
  };
}

function isAboutTools(thrown: unknown): boolean {
  if (!(thrown instanceof PegboardError)) return false;
  const { status = 0 } = (thrown.data ?? {}) as Partial<ModelFailureData>;
  return refusesTools(status, thrown.message);
}
