/** "pegboard/browser": the part of the kernel that the page shares, which runs in a browser. It may change with any version. */
export type { Check } from '../api/diagnostic.ts';
export type { Choice, OpenQuestion } from '../api/questions.ts';
export type { JsonSchema, Content, ToolFailure } from '../api/result.ts';
export type { UsageLine, UsageSum } from '../api/store/usage.ts';
export { choiceLabels } from '../core/choices.ts';
export { memberAt } from '../core/documents/member-at.ts';
export {
  parseJson,
  toJson,
  parseMember,
  writtenText,
  keepWritten,
  mergeWritten,
  rememberNumber,
  memberJson,
} from '../core/documents/written-numbers.ts';
export { replaceHidden } from '../core/foreign/hidden-characters.ts';
export { isIntricateMarkdown } from '../core/foreign/intricate-markdown.ts';
export type { ScreenAction, ScreenDeclaration } from '../formats/screens.ts';
export type { DescribedSecret, SecretUse } from '../secrets/described-secret.ts';
export type { DescribedAgent } from '../status/described-agent.ts';
export type { TurnCalls, TurnUsage } from '../store/usage/usage-turns.ts';
