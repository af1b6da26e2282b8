import { useEffect } from 'preact/hooks';
import type { ToolRow } from '../../../wire.ts';
import { Offline } from '../../parts/offline.tsx';
import { SearchList } from '../../parts/search-list.tsx';
import type { RowProps } from '../../parts/virtual-list.tsx';
import { path, toolPath } from '../../router.ts';
import { allTools, foundTools, query, rank } from './list-of-tools.ts';
import { ToolPage } from './tool-page.tsx';

/** The list of tools and the chosen one. */
export function ToolsScreen() {
  const chosen = path.value[1] ?? '';
  useEffect(() => allTools.follow(), []);
  return (
    <div class={chosen === '' ? 'split' : 'split chosen'}>
      <div class="side">
        <ToolList chosen={chosen} />
      </div>
      <div key={chosen} class="detail scroll">
        {allTools.value.value && <Offline />}
        {chosen === '' ? (
          <p class="quiet hello">Choose a tool to see what it takes, and to try it.</p>
        ) : (
          <ToolPage id={chosen} />
        )}
      </div>
    </div>
  );
}

function ToolList({ chosen }: { readonly chosen: string }) {
  useEffect(rank, [query.value]);
  return (
    <SearchList
      title="Tools"
      find="Find a tool"
      query={query}
      from={allTools}
      total={allTools.value.value?.tools.length}
      rows={foundTools.value}
      isChosen={({ id }) => id === chosen}
      pathOf={({ id }) => toolPath(id)}
      empty="No tool yet. A file in spaces/SPACE/agent/tools makes one."
      row={(tool, props) => <Row key={tool.id} tool={tool} props={props} />}
    />
  );
}

function Row({
  tool: { id, summary, confirm },
  props,
}: {
  readonly tool: ToolRow;
  readonly props: RowProps;
}) {
  return (
    <a class="item" href={toolPath(id)} {...props}>
      <span class="first">
        <b class="mono">{id}</b>
        {confirm && <small class="tag">asks</small>}
      </span>
      <span class="second">{summary || 'No description'}</span>
    </a>
  );
}
