import { useEffect, useMemo } from 'preact/hooks';
import type { AgentDetails, AgentModel } from '../../../agents/wire.ts';
import { reading } from '../../live/reading.ts';
import { Back } from '../../parts/back.tsx';
import { Broken } from '../../parts/broken.tsx';
import { Fact } from '../../parts/fact.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { duration } from '../../parts/time.ts';
import { Words } from '../../parts/words.tsx';
import { manifestPath } from '../../router.ts';
import { Shown } from './shown.tsx';

/** One agent: its models, what it may do, its skills, and what its model is sent. */
export function AgentPage({ id }: { readonly id: string }) {
  const agent = useMemo(() => reading<AgentDetails>(`agent/${encodeURIComponent(id)}`), []);
  useEffect(() => agent.follow(), []);
  const details = agent.value.value;
  return (
    <>
      <Back title="Agents" to="/agents">
        All agents
      </Back>
      {agent.problem.value !== undefined && (
        <Broken what={`${id} could not be read.`} why={agent.problem.value} again={() => void agent.read()} />
      )}
      {details && <Agent details={details} />}
    </>
  );
}

function Agent({ details }: { readonly details: AgentDetails }) {
  const { id, name, description, isDefault, role, file, space } = details;
  return (
    <article aria-label={name}>
      <header class="lead">
        <h2>
          <HiddenText text={name} />
        </h2>
        <p class="row tags">
          {isDefault && <span class="tag">answers where no agent is named</span>}
          {role !== 'assistant' && <span class="tag">{role}</span>}
          <span class="tag">space {space}</span>
        </p>
        <p>
          <HiddenText text={description || 'No description'} />
        </p>
        <p class="quiet mono origin">
          {file === null ? (
            `${id}: an agent without a file, which may use every tool`
          ) : (
            <FileLink file={file} />
          )}
        </p>
      </header>
      <Shown id={id} shown={details.shown} />
      <Models details={details} />
      <Access details={details} />
      <Skills details={details} />
    </article>
  );
}

interface Props {
  readonly details: AgentDetails;
}

function Models({ details: { models, modelProblem } }: Props) {
  return (
    <section class="sheet" aria-labelledby="models">
      <h3 id="models">
        {models.length > 1 ? 'Its models, in the order in which they are tried' : 'Its model'}
      </h3>
      {modelProblem !== undefined && (
        <p class="bad">
          <Words text={modelProblem} />
        </p>
      )}
      {models.length === 0 && modelProblem === undefined && (
        <p class="quiet">None: Home says how to connect one. Its tools work without.</p>
      )}
      <ul class="rows">
        {models.map((model) => (
          <li>
            <b class="mono">
              <HiddenText text={model.name} />
            </b>
            <p class={model.problem === undefined ? 'quiet' : 'bad'}>
              <HiddenText text={model.problem ?? factsOf(model)} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function factsOf({ contextWindow, price }: AgentModel): string {
  const room = contextWindow === undefined ? '' : `${contextWindow.toLocaleString()} tokens of context`;
  const costs =
    price === undefined
      ? 'price not known'
      : `$${price.input} in and $${price.output} out for a million tokens`;
  return [room, costs].filter((part) => part !== '').join(', ');
}

function Access({ details: { access, tools } }: Props) {
  const { modules, blocked, allowUntrusted, sandbox, spendPerDay, maxRounds, deadline } = access;
  return (
    <section class="sheet" aria-labelledby="access">
      <h3 id="access">What it may do</h3>
      <dl class="facts">
        <Fact name="can call">
          {tools === 1 ? '1 tool' : `${tools.toLocaleString()} tools`}
          {modules === undefined && ': all that are here and not blocked'}
        </Fact>
        {modules !== undefined && (
          <Fact name="only of">
            <Names names={modules} empty="nothing" />
          </Fact>
        )}
        {blocked.length > 0 && (
          <Fact name="blocked">
            <Names names={blocked} />
          </Fact>
        )}
        {allowUntrusted.length > 0 && (
          <Fact name="runs unasked">
            <Names names={allowUntrusted} />, even after it has read others' words
          </Fact>
        )}
        <Fact name="sandbox">{sandbox ?? "the home's"}</Fact>
        <Fact name="may spend">
          {spendPerDay === undefined ? 'no limit of its own' : `$${spendPerDay} a day`}
        </Fact>
        <Fact name="one answer">
          at most {maxRounds} model calls and {duration(deadline * 1_000)}
        </Fact>
      </dl>
    </section>
  );
}

const Names = ({ names, empty = '' }: { readonly names: readonly string[]; readonly empty?: string }) => (
  <span class="mono">
    <HiddenText text={names.join(', ') || empty} />
  </span>
);

function Skills({ details: { skills } }: Props) {
  return (
    <section class="sheet" aria-labelledby="skills">
      <h3 id="skills">Skills</h3>
      {skills.length === 0 ? (
        <p class="quiet">None. A folder with a SKILL.md in its space's skills makes one.</p>
      ) : (
        <>
          <p class="quiet">Their text is sent when it fits the message, or when the agent asks for it.</p>
          <ul class="rows">
            {skills.map(({ name, description, tokens, file }) => (
              <li>
                <div class="row">
                  <b class="mono">
                    <HiddenText text={name} />
                  </b>
                  <span class="grow" />
                  <span class="quiet count">{tokens.toLocaleString()} tokens</span>
                </div>
                <p class="quiet">
                  <HiddenText text={description} />
                </p>
                <p class="quiet mono origin">
                  <FileLink file={file} />
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** To the editor, for what is in the home. */
function FileLink({ file }: { readonly file: string }) {
  if (file.startsWith('..')) return <HiddenText text={file} />;
  return (
    <a href={manifestPath(file)}>
      <HiddenText text={file} />
    </a>
  );
}
