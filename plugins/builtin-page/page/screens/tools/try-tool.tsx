import type { ToolDetails } from '../../../wire.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { questions } from '../../live/live.ts';
import { Result } from '../../result/result.tsx';
import { CallForm } from './call-form.tsx';
import { draftOf } from './draft.ts';

/** The form of a tool, and what came of its last run. */
export function TryTool({ tool }: { readonly tool: ToolDetails }) {
  const draft = draftOf(tool.id);
  const { running, result, failure } = draft;
  const said = result.value && (result.value.ok ? 'Done.' : `Failed: ${result.value.error?.message ?? ''}`);
  return (
    <>
      <CallForm tool={tool} draft={draft} />
      {/* The result itself may be long: readers get it when they go there. */}
      <p class="for-readers" role="status">
        {running.value ? 'Running.' : said}
      </p>
      <div aria-busy={running.value !== undefined}>
        {running.value && <Asked tool={tool.id} />}
        {failure.value !== undefined && (
          <p class="sheet bad" role="alert">
            {failure.value}
          </p>
        )}
        {result.value && <Result result={result.value} />}
      </div>
    </>
  );
}

/** A call that asks does not go on before somebody has answered. */
function Asked({ tool }: { readonly tool: string }) {
  const question = questions.value?.find((one) => one.tool === tool);
  return question ? (
    <p class="sheet ask">
      It waits for an answer:{' '}
      <a href="/approvals">
        <HiddenText text={question.message} />
      </a>
    </p>
  ) : null;
}
