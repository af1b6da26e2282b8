import type { PermissionRule, PermissionRules } from '../../api/agent.ts';
import type { WrittenConfig } from '../../formats/config.ts';
import type { WrittenPermissions } from '../../formats/permissions.ts';
import { pointerTo } from '../../core/documents/pointer.ts';
import type { HomePermissions } from './permissions-for.ts';

/** `fileOf`: the file that the rule at a JSON pointer below `permissions` is written in. */
export function toRules(
  written: WrittenPermissions,
  {
    folder,
    userHome,
    fileOf,
  }: Pick<PermissionRule, 'folder' | 'userHome'> & { readonly fileOf: (pointer: string) => string },
): PermissionRules {
  const listed = (key: keyof PermissionRules) =>
    (written[key] ?? []).map((text, index) => ({
      text,
      folder,
      userHome,
      file: fileOf(pointerTo(key, index)),
    }));
  return { allow: listed('allow'), ask: listed('ask'), deny: listed('deny') };
}

/** The rules of pegboard.yaml and pegboard.local.yaml. `originOf`: the file of the value at a JSON pointer. */
export function toHomePermissions(
  { agents = {}, ...rules }: NonNullable<WrittenConfig['permissions']> = {},
  {
    home,
    userHome,
    originOf,
  }: {
    readonly home: string;
    readonly userHome: string;
    readonly originOf: (pointer: string) => string;
  },
): HomePermissions {
  const rulesAt = (own: WrittenPermissions, at: string): PermissionRules =>
    toRules(own, { folder: home, userHome, fileOf: (pointer) => originOf(`${at}${pointer}`) });
  const ofAgents = Object.entries(agents).map(
    ([id, own]) => [id, rulesAt(own, pointerTo('permissions', 'agents', id))] as const,
  );
  return { ...rulesAt(rules, pointerTo('permissions')), agents: new Map(ofAgents) };
}

/** Whether the list at a JSON pointer of pegboard.local.yaml adds to that of pegboard.yaml: it can't drop what that denies. */
export const isRuleList = (pointer: string): boolean =>
  /^\/permissions\/(?:agents\/[^/]+\/)?(?:allow|ask|deny)$/.test(pointer);
