import { useRef } from 'preact/hooks';
import { toJson } from 'pegboard/browser';
import type { ToolDetails } from '../../../wire.ts';
import { Fields } from '../../form/fields.tsx';
import { kindOf, resolve } from '../../form/schema.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { program } from '../../program.ts';
import { asCommand } from './as-command.ts';
import { editAsJson, editInForm, enter, objectIn, replaceArgs, run, type Draft } from './draft.ts';
import { JsonArguments } from './json-arguments.tsx';
import { PreviewOfCall } from './preview-of-call.tsx';

interface Props {
  readonly tool: ToolDetails;
  readonly draft: Draft;
}

/** A field that is wrong, or the first one of an object that is. */
const firstWrong = '[aria-invalid=true], fieldset:has(> .hint > .wrong) :is(input, select, textarea)';

/** The arguments of a tool, as fields or as JSON, and what can be done with them. */
export function CallForm({ tool, draft }: Props) {
  const { args, json, running, version, problems } = draft;
  const form = useRef<HTMLFormElement>(null);
  const schema = resolve(tool.parameters, tool.parameters);
  const kind = kindOf(schema, tool.parameters);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await run(tool.id, draft);
    if (problems.value.size === 0) return;
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(firstWrong)?.focus());
  };
  return (
    <form
      ref={form}
      class="sheet"
      aria-label={`Try ${tool.id}`}
      noValidate
      // In a text of several lines Enter begins the next one.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => void submit(event)}
    >
      <div class="row">
        <h3>Try it</h3>
        {tool.examples.map(({ input }, at) => (
          <button type="button" class="small" title={toJson(input)} onClick={() => replaceArgs(draft, input)}>
            Example{tool.examples.length > 1 ? ` ${at + 1}` : ''}
          </button>
        ))}
        <span class="grow" />
        <FormOrJson draft={draft} />
      </div>
      {json.value !== undefined ? (
        <JsonArguments draft={draft} />
      ) : kind === 'json' ? (
        <p class="quiet">
          {schema['additionalProperties'] === false
            ? 'It takes no arguments.'
            : 'It names no arguments. JSON takes any.'}
        </p>
      ) : (
        <Fields
          key={version.value}
          schema={schema}
          root={tool.parameters}
          value={args.value}
          at=""
          depth={0}
          problems={problems.value}
          onChange={(next) => enter(draft, next)}
        />
      )}
      <div class="row actions">
        {/* A disabled button would lose the focus. */}
        <button
          class="main"
          type="submit"
          title="Ctrl+Enter"
          aria-keyshortcuts="Control+Enter"
          aria-disabled={running.value !== undefined}
        >
          {running.value ? 'Running…' : 'Run'}
        </button>
        <button
          type="button"
          aria-disabled={running.value === undefined}
          onClick={() => running.value?.abort()}
        >
          Stop
        </button>
        <span class="grow" />
        <CopyButton label="Copy command" text={() => asCommand(program.value, tool.id, args.value, schema)} />
        <CopyButton label="Copy JSON" text={() => toJson(args.value, 2)} />
      </div>
      <PreviewOfCall tool={tool} schema={schema} args={args.value} />
    </form>
  );
}

function FormOrJson({ draft }: { readonly draft: Draft }) {
  const { json } = draft;
  const isJson = json.value !== undefined;
  return (
    <div class="switch" role="group" aria-label="Enter as">
      <button
        type="button"
        aria-pressed={!isJson}
        aria-disabled={isJson && !objectIn(json.value!)}
        onClick={() => editInForm(draft)}
      >
        Form
      </button>
      <button type="button" aria-pressed={isJson} onClick={() => editAsJson(draft)}>
        JSON
      </button>
    </div>
  );
}
