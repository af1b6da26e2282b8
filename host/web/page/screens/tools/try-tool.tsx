import { useSignal } from '@preact/signals';
import { parseJson, toJson } from '../../../../core/documents/written-numbers.ts';
import type { CallResult, ToolDetails } from '../../../wire.ts';
import { messageOf, post } from '../../api.ts';
import { Fields, type Problems } from '../../form/fields.tsx';
import { propertiesOf, resolve } from '../../form/schema.ts';
import { questions } from '../../live/live.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Result } from '../../result/result.tsx';
import { asCommand } from './as-command.ts';
import { draftOf, type Draft } from './draft.ts';
import { PreviewOfCall } from './preview-of-call.tsx';

/** The form of a tool, what would run, and what came of it. */
export function TryTool({ tool }: { readonly tool: ToolDetails }) {
  const draft = draftOf(tool.id);
  /** Fields keep their text, so other arguments need other fields. */
  const version = useSignal(0);
  const { args, json, running, result, problem } = draft;
  const isJson = json.value !== undefined;
  const schema = resolve(tool.parameters, tool.parameters);
  const problems = problemsOf(result.value);
  const replace = (next: object): void => {
    args.value = next;
    if (json.value !== undefined) json.value = toJson(next, 2);
    version.value++;
  };
  return (
    <>
      <form
        class="sheet"
        aria-label={`Try ${tool.id}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run(tool.id, draft);
        }}
      >
        <div class="row">
          <h3>Try it</h3>
          {tool.examples.map(({ input }, at) => (
            <button type="button" class="small" title={toJson(input)} onClick={() => replace(input)}>
              Example{tool.examples.length > 1 ? ` ${at + 1}` : ''}
            </button>
          ))}
          <span class="grow" />
          <div class="switch" role="group" aria-label="Enter as">
            <button
              type="button"
              aria-pressed={!isJson}
              disabled={isJson && !objectIn(json.value!)}
              onClick={() => showForm(draft, version)}
            >
              Form
            </button>
            <button
              type="button"
              aria-pressed={isJson}
              onClick={() => (json.value ??= toJson(args.value, 2))}
            >
              JSON
            </button>
          </div>
        </div>
        {isJson ? (
          <JsonArguments draft={draft} />
        ) : (
          <Fields
            key={version.value}
            schema={schema}
            root={tool.parameters}
            value={args.value}
            at=""
            depth={0}
            problems={problems}
            onChange={(next) => (args.value = next)}
          />
        )}
        {!isJson && hasNoFields(tool) && <p class="quiet">It takes no arguments.</p>}
        <div class="row actions">
          <button class="main" type="submit" disabled={running.value !== undefined}>
            {running.value ? 'Running…' : 'Run'}
          </button>
          <button type="button" disabled={running.value === undefined} onClick={() => running.value?.abort()}>
            Stop
          </button>
          <span class="grow" />
          <CopyButton label="Copy command" text={() => asCommand(tool.id, args.value, schema)} />
          <CopyButton label="Copy JSON" text={() => toJson(args.value, 2)} />
        </div>
        <PreviewOfCall tool={tool} schema={schema} args={args.value} />
      </form>
      {/* The result itself may be long: readers get it when they go there. */}
      <p class="for-readers" role="status">
        {running.value
          ? 'Running.'
          : result.value && (result.value.ok ? 'Done.' : `Failed: ${result.value.error?.message ?? ''}`)}
      </p>
      <div aria-busy={running.value !== undefined}>
        {running.value && <Asked tool={tool.id} />}
        {problem.value !== undefined && (
          <p class="sheet bad" role="alert">
            {problem.value}
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
      It waits for an answer: <a href="/approvals">{question.message}</a>
    </p>
  ) : null;
}

const hasNoFields = ({ parameters }: ToolDetails): boolean =>
  Object.keys(propertiesOf(resolve(parameters, parameters))).length === 0 &&
  parameters['anyOf'] === undefined &&
  parameters['oneOf'] === undefined;

function showForm({ json, args }: Draft, version: { value: number }): void {
  if (json.value === undefined) return;
  args.value = objectIn(json.value) ?? args.value;
  json.value = undefined;
  version.value++;
}

/** Undefined when it is no object. */
function objectIn(text: string): object | undefined {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function JsonArguments({ draft: { json, args } }: { readonly draft: Draft }) {
  const problem = problemIn(json.value!);
  return (
    <div class="field">
      <label for="args-json">Arguments as JSON</label>
      <textarea
        id="args-json"
        rows={10}
        spellcheck={false}
        aria-invalid={problem !== ''}
        aria-describedby="args-json-hint"
        value={json.value}
        onInput={(event) => {
          json.value = event.currentTarget.value;
          args.value = objectIn(json.value) ?? args.value;
        }}
      />
      <p class="wrong reserved" id="args-json-hint">
        {problem}
      </p>
    </div>
  );
}

function problemIn(text: string): string {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? ''
      : 'It must be an object: {…}.';
  } catch (cause) {
    return messageOf(cause);
  }
}

async function run(tool: string, { args, json, running, result, problem }: Draft): Promise<void> {
  if (running.value || (json.value !== undefined && !objectIn(json.value))) return;
  const stop = new AbortController();
  running.value = stop;
  problem.value = undefined;
  try {
    result.value = await post<CallResult>('call', { tool, args: args.value }, stop.signal);
  } catch (cause) {
    result.value = undefined;
    problem.value = stop.signal.aborted ? 'Stopped.' : messageOf(cause);
  } finally {
    running.value = undefined;
  }
}

interface Problem {
  readonly path: string;
  readonly property?: string;
  readonly message: string;
}

/** What the host says is wrong, by the field that it is about. */
function problemsOf(result: CallResult | undefined): Problems {
  const { problems = [] } = (result?.error?.data ?? {}) as { readonly problems?: readonly Problem[] };
  return new Map(
    problems.map(({ path, property, message }) => [
      property === undefined ? path : `${path}/${property}`,
      message,
    ]),
  );
}
