import type { Model } from '../../api/model.ts';

/** The same model with another `respond`. Its other properties are read from the model each time. */
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
