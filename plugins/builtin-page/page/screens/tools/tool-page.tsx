import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ToolDetails } from '../../../wire.ts';
import { get, messageOf } from '../../api.ts';
import { changes } from '../../live/live.ts';
import { Back } from '../../parts/back.tsx';
import { Broken } from '../../parts/broken.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { duration } from '../../parts/time.ts';
import { LastCalls } from './last-calls.tsx';
import { TryTool } from './try-tool.tsx';

/** A tool: what it is, a form to try it, and what its last calls were. */
export function ToolPage({ id }: { readonly id: string }) {
  const tool = useSignal<ToolDetails | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const read = async (signal?: AbortSignal): Promise<void> => {
    try {
      const found = await get<ToolDetails>(`tool/${encodeURIComponent(id)}`, signal);
      // The same again would begin the form anew.
      if (JSON.stringify(found) !== JSON.stringify(tool.value)) tool.value = found;
      problem.value = undefined;
    } catch (cause) {
      if (!signal?.aborted) problem.value = messageOf(cause);
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    void read(stop.signal);
    return () => stop.abort();
  }, [changes.value]);
  return (
    <>
      <Back title="Tools" to="/tools">
        All tools
      </Back>
      {problem.value !== undefined && (
        <Broken what={`${id} could not be read.`} why={problem.value} again={() => void read()} />
      )}
      {tool.value && <Tool tool={tool.value} />}
    </>
  );
}

function Tool({ tool }: { readonly tool: ToolDetails }) {
  const { id, title, description, kind, confirm, readOnly, timeout, origin, documentation } = tool;
  return (
    <article aria-label={id}>
      <header class="lead">
        <h2 class="mono">{id}</h2>
        {title !== undefined && title !== id && !id.endsWith(`.${title}`) && <p class="quiet">{title}</p>}
        <p class="row tags">
          <span class="tag">{kind}</span>
          {confirm && <span class="tag warn">asks before it runs</span>}
          {readOnly && <span class="tag">read-only</span>}
          <span class="tag">at most {timeout < 120 ? `${timeout} s` : duration(timeout * 1_000)}</span>
        </p>
        <Markdown text={description} />
        {origin !== undefined && <p class="quiet mono origin">{origin}</p>}
      </header>
      <TryTool tool={tool} />
      <LastCalls tool={id} />
      {documentation !== undefined && documentation.trim() !== '' && (
        <section class="sheet" aria-label="Documentation">
          <h3>Documentation</h3>
          <Markdown text={documentation} level={4} />
        </section>
      )}
    </article>
  );
}
