import type { Model } from '../../api/model.ts';

/** The same model, that answers in another way; what is known of it stays what the model itself says. */
export function wrapModel(model: Model, respond: Model['respond']): Model {
  return {
    get id() {
      return model.id;
    },
    get contextWindow() {
      return model.contextWindow;
    },
    get nativeTools() {
      return model.nativeTools;
    },
    get maxTools() {
      return model.maxTools;
    },
    respond,
  };
}
