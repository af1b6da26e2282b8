import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JsonSchema } from 'pegboard/browser';
import type { Preview, ToolDetails } from '../../../wire.ts';
import { messageOf, post } from '../../api.ts';
import { isComplete } from '../../form/schema.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';

/** Milliseconds without a change after which the host is asked. */
const restMs = 250;

interface Props {
  readonly tool: ToolDetails;
  /** Of the arguments, resolved. */
  readonly schema: JsonSchema;
  readonly args: object;
}

/** What exactly would run, before it runs. Nothing for tools that don't say. */
export function PreviewOfCall({ tool, schema, args }: Props) {
  const preview = useSignal<Preview | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    if (!isComplete(schema, args, tool.parameters)) {
      preview.value = undefined;
      problem.value = '';
      return undefined;
    }
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        preview.value = await post<Preview>('preview', { tool: tool.id, args }, stop.signal);
        problem.value = preview.value.problem ?? '';
      } catch (cause) {
        if (stop.signal.aborted) return;
        preview.value = undefined;
        problem.value = messageOf(cause);
      }
    };
    const timer = setTimeout(() => void ask(), restMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [args, tool]);
  if (problem.value !== '') return <p class="quiet">It would not run like this: {problem.value}</p>;
  if (preview.value?.preview === undefined) return null;
  return (
    <div class="preview">
      <p class="quiet">
        This would run
        {preview.value.cwd !== undefined && (
          <>
            {' '}
            in <span class="mono">{preview.value.cwd}</span>
          </>
        )}
      </p>
      <pre tabIndex={0} role="region" aria-label="What would run">
        <HiddenText text={preview.value.preview} />
      </pre>
    </div>
  );
}
