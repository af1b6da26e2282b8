import type { PluginManifest, ScreenAction, ScreenDeclaration } from 'pegboard/home';
import type { ActionView, ScreenView } from './wire.ts';

const defaultKey = 'id';

/** What the page gets of a declaration: everything but which commands are run. */
export function viewOf(
  { id }: PluginManifest,
  name: string,
  {
    title,
    question,
    empty,
    kind,
    columns,
    calendar,
    graph,
    list,
    search,
    detail,
    actions = {},
  }: ScreenDeclaration,
): ScreenView {
  return {
    plugin: id,
    screen: name,
    title,
    question,
    empty,
    kind,
    columns,
    key: list.key ?? defaultKey,
    hasSearch: search !== undefined,
    ...(calendar && { calendar }),
    ...(graph && { graph: { nodes: graph.nodes, edges: graph.edges } }),
    ...(detail && { detail: detail.sections }),
    actions: Object.entries(actions).map(([action, declared]) => actionView(action, declared)),
  };
}

function actionView(
  name: string,
  { label, done, when, confirm, parameters, shows, on = 'row', proof = false }: ScreenAction,
): ActionView {
  return {
    name,
    label,
    on,
    proof,
    ...(done !== undefined && { done }),
    ...(when && { when }),
    ...(confirm !== undefined && { confirm }),
    ...(parameters && { parameters }),
    ...(shows && { shows: shows.sections }),
  };
}
