/** What tests of plugins import as "pegboard/testing". */
export type { Script, ScriptedCall, ScriptedFaults, ScriptedReply, ScriptedRequest } from './script.ts';
export {
  modelsOf,
  startScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts';
export { openTestHost, type TestHost, type TestHostOptions } from './test-host.ts';
