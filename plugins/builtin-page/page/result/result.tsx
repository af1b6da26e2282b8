import { useSignal } from '@preact/signals';
import { type Content, toJson } from 'pegboard/browser';
import type { CallResult } from '../../wire.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { LongText } from '../parts/long-text.tsx';
import { duration } from '../parts/time.ts';
import { ContentBlock } from './content.tsx';
import { Failure } from './failure.tsx';

const views = { text: 'Text', markdown: 'Markdown', raw: 'Raw' } as const;
type View = keyof typeof views;

/** What a call returned, with a choice of how its text is shown. */
export function Result({
  result,
  title = 'Result',
}: {
  readonly result: CallResult;
  readonly title?: string;
}) {
  const view = useSignal<View>('text');
  const { ok, content, structured, error, ms } = result;
  return (
    <section class="sheet result" aria-label={title}>
      <div class="row">
        <h3>{title}</h3>
        <strong class={ok ? 'good' : 'bad'}>{ok ? 'Done' : 'Failed'}</strong>
        <span class="quiet">{duration(ms)}</span>
        <span class="grow" />
        <div class="switch" role="group" aria-label="Show as">
          {(Object.keys(views) as View[]).map((one) => (
            <button type="button" aria-pressed={view.value === one} onClick={() => (view.value = one)}>
              {views[one]}
            </button>
          ))}
        </div>
        <CopyButton label="Copy JSON" text={() => toJson(result, 2)} />
      </div>
      {view.value === 'raw' ? (
        <LongText text={toJson(result, 2)} label="The whole result" />
      ) : (
        <>
          {error && <Failure error={error} />}
          {content.length === 0 && structured === undefined && !error && (
            <p class="quiet">It returned nothing.</p>
          )}
          {shownContent(result).map((block) => (
            <ContentBlock content={block} view={view.value as Exclude<View, 'raw'>} />
          ))}
          {structured !== undefined && !isShownAsText(result) && (
            <>
              <h4>Structured content</h4>
              <LongText text={toJson(structured, 2)} label="Structured content" />
            </>
          )}
        </>
      )}
    </section>
  );
}

/** Before a tool runs, what its failure says is the host's own message again, and the schema. */
function shownContent({ content, error }: CallResult): readonly Content[] {
  if (!error) return content;
  if (error.stage !== 'execute' && error.stage !== 'finish') return [];
  return content.filter((block) => block.type !== 'text' || block.text !== error.message);
}

/** MCP wants structured content to be repeated as text. */
function isShownAsText({ content: [first], structured }: CallResult): boolean {
  if (first?.type !== 'text') return false;
  return first.text === toJson(structured) || first.text === toJson(structured, 2);
}
