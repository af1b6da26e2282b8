import type { Model } from '../../api/model.ts';
import { PegboardError } from '../../core/errors.ts';
import type { ModelFailureData } from './failure.ts';

/** Errors after which another model is tried. */
const fallbackCodes = new Set(['PEG_MODEL_UNAVAILABLE', 'PEG_MODEL_REFUSED']);

/**
 * Asks the models in order until one answers. Has the id, window and tool mode of the first. When all fail, throws
 * PEG_MODEL_UNAVAILABLE with every model and reason; a single model's own error is thrown unchanged.
 */
export function withFallback(models: readonly [Model, ...Model[]]): Model {
  const [first, ...others] = models;
  if (others.length === 0) return first;
  return {
    get id() {
      return first.id;
    },
    get contextWindow() {
      return first.contextWindow;
    },
    get nativeTools() {
      return first.nativeTools;
    },
    // Requests are passed on unchanged, so the lowest limit applies.
    get maxTools() {
      const limits = models.flatMap(({ maxTools }) => maxTools ?? []);
      return limits.length === 0 ? undefined : Math.min(...limits);
    },
    async respond(request, onEvent) {
      const failures: { readonly model: string; readonly error: PegboardError }[] = [];
      for (const [index, model] of models.entries()) {
        try {
          return await model.respond(request, onEvent);
        } catch (thrown) {
          if (!(thrown instanceof PegboardError) || !fallbackCodes.has(thrown.code)) throw thrown;
          failures.push({ model: model.id, error: thrown });
          const next = models[index + 1];
          if (next) onEvent({ type: 'restart', reason: `${thrown.message} Asking ${next.id} instead.` });
        }
      }
      const lines = failures.map(({ model, error }) => `- ${model}: ${error.message}`);
      const { tooLong } = (failures[0]?.error.data ?? {}) as Partial<ModelFailureData>;
      const data: ModelFailureData & { readonly failures: object } = {
        model: first.id,
        ...(tooLong && { tooLong }),
        failures: failures.map(({ model, error }) => ({ model, code: error.code, message: error.message })),
      };
      throw new PegboardError('PEG_MODEL_UNAVAILABLE', `No model answered:\n${lines.join('\n')}`, { data });
    },
  };
}
