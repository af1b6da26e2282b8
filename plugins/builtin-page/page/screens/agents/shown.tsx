import { useSignal } from '@preact/signals';
import type { AgentShown, AgentTexts } from '../../../agents/wire.ts';
import { get, messageOf } from '../../api.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toolPath } from '../../router.ts';

const modes: { readonly [mode: string]: string } = {
  direct: 'its tools in full',
  compact_direct: 'its tools by name, with a line each',
  discovery: 'tools that find the others',
};

interface Props {
  readonly id: string;
  readonly shown: AgentShown;
}

/** What its model is sent with every message, and what each part costs. */
export function Shown({ id, shown }: Props) {
  const { mode, reason, contextWindow, total, parts, tools, hidden } = shown;
  const share = Math.round((total / contextWindow) * 1_000) / 10;
  const ofTools = tools.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <section class="sheet" aria-labelledby="shown">
      <h3 id="shown">
        Its model is sent {total.toLocaleString()} tokens with every message, {share} % of its context of{' '}
        {contextWindow.toLocaleString()}
      </h3>
      <p class="quiet">
        It is shown {modes[mode] ?? mode}: <HiddenText text={reason} />. A token is counted as four
        characters. Before a message come the time, memories and skills that fit it, which differ each time.
      </p>
      <table class="costs">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ title, tokens }) => (
            <Row name={title} tokens={tokens} of={total} />
          ))}
          <Row name={tools.length === 1 ? '1 tool' : `${tools.length} tools`} tokens={ofTools} of={total} />
        </tbody>
      </table>
      <Tools shown={shown} />
      {hidden > 0 && (
        <p class="quiet">
          {hidden === 1 ? '1 more tool' : `${hidden.toLocaleString()} more tools`} can be found and called,
          and cost nothing until then.
        </p>
      )}
      <Texts id={id} />
    </section>
  );
}

function Row({ name, tokens, of }: { readonly name: string; readonly tokens: number; readonly of: number }) {
  return (
    <tr>
      <th scope="row">
        {name}
        <span class="bar" aria-hidden="true">
          <i style={{ left: '0', width: `${(tokens / of) * 100}%` }} />
        </span>
      </th>
      <td class="count">{tokens.toLocaleString()}</td>
    </tr>
  );
}

function Tools({ shown: { tools } }: Pick<Props, 'shown'>) {
  if (tools.length === 0) return null;
  return (
    <details>
      <summary>Each tool with its tokens</summary>
      <ul class="rows">
        {tools
          .toSorted((a, b) => b.tokens - a.tokens)
          .map(({ name, id, summary, tokens }) => (
            <li key={name}>
              <div class="row">
                {id === undefined ? (
                  <b class="mono">{name}</b>
                ) : (
                  <a class="mono" href={toolPath(id)}>
                    {name}
                  </a>
                )}
                <span class="grow" />
                <span class="quiet count">{tokens.toLocaleString()}</span>
              </div>
              <p class="quiet line">
                <HiddenText text={summary} />
              </p>
            </li>
          ))}
      </ul>
    </details>
  );
}

/** Exactly what is sent, read when somebody wants to see it. */
function Texts({ id }: Pick<Props, 'id'>) {
  const texts = useSignal<AgentTexts | undefined>(undefined);
  const problem = useSignal('');
  const open = async (isOpen: boolean): Promise<void> => {
    if (!isOpen) return;
    try {
      texts.value = await get<AgentTexts>(`agent-texts/${encodeURIComponent(id)}`);
      problem.value = '';
    } catch (cause) {
      problem.value = messageOf(cause);
    }
  };
  return (
    <details onToggle={(event) => void open(event.currentTarget.open)}>
      <summary>The exact text</summary>
      <Problem text={problem.value} />
      {texts.value?.parts.map(({ title, text }) => (
        <>
          <h4>{title}</h4>
          <LongText text={text} label={title} />
        </>
      ))}
      {texts.value && (
        <>
          <h4>Tools</h4>
          <LongText text={texts.value.tools} label="Tools" />
        </>
      )}
    </details>
  );
}
