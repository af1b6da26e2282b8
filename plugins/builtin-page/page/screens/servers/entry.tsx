import type { ServerDetails } from '../../../servers/wire.ts';
import { Fact } from '../../parts/fact.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';

/** What its entry says, and what runs because of it. */
export function Entry({ details }: { readonly details: ServerDetails }) {
  const { runs, cwd, variables, headers, allow, block, confirm, isTrusted } = details;
  const { origin, software, era, pid, restarts, mayLogIn } = details;
  return (
    <section class="sheet" aria-labelledby="entry">
      <h3 id="entry">{mayLogIn ? 'Where it is' : 'What it runs'}</h3>
      <pre tabIndex={0} role="region" aria-label={mayLogIn ? 'Its address' : 'Its command'}>
        <HiddenText text={runs} />
      </pre>
      <dl class="facts">
        <Fact name="written in">
          <span class="mono">
            <HiddenText text={origin} />
          </span>
        </Fact>
        {cwd !== undefined && <Fact name="in the folder">{cwd}</Fact>}
        <List name="variables" values={variables} />
        <List name="headers" values={headers} />
        <List name="only the tools" values={allow} />
        <List name="without the tools" values={block} />
        {confirm === true && <Fact name="asks">before every run</Fact>}
        {Array.isArray(confirm) && <List name="asks before" values={confirm} />}
        {isTrusted && <Fact name="trusted">changed tools are taken without asking you</Fact>}
        {software !== undefined && (
          <Fact name="software">
            <HiddenText text={software} />
          </Fact>
        )}
        {era !== undefined && <Fact name="protocol">{era}</Fact>}
        {pid !== undefined && <Fact name="process">{pid}</Fact>}
        {restarts > 0 && <Fact name="ended by itself">{restarts === 1 ? 'once' : `${restarts} times`}</Fact>}
      </dl>
      {variables.length + headers.length > 0 && (
        <p class="hint">Values of variables and headers are never sent to this page.</p>
      )}
    </section>
  );
}

function List({
  name,
  values = [],
}: {
  readonly name: string;
  readonly values?: readonly string[] | undefined;
}) {
  if (values.length === 0) return null;
  return (
    <Fact name={name}>
      <span class="mono">
        <HiddenText text={values.join(', ')} />
      </span>
    </Fact>
  );
}
