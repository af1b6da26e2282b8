import { useEffect, useMemo } from 'preact/hooks';
import type { ServerLog, ServerLogLine } from '../../../servers/wire.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { shortTime } from '../../parts/time.ts';

const tones: { readonly [level: string]: string } = { error: 'bad', warn: 'warn' };

/** What the host has noted about the server, and what the server wrote to stderr. */
export function Log({ name }: { readonly name: string }) {
  const log = useMemo(() => reading<ServerLog>(`server-log/${encodeURIComponent(name)}`), []);
  useEffect(() => log.follow(), []);
  const known = log.value.value;
  return (
    <section class="sheet" aria-labelledby="log">
      <div class="row">
        <h3 id="log">Log</h3>
        <span class="grow" />
        <button type="button" class="small" onClick={() => void log.read()}>
          Read again
        </button>
      </div>
      {log.problem.value !== undefined && (
        <Broken what="The log could not be read." why={log.problem.value} again={() => void log.read()} />
      )}
      {known && known.lines.length === 0 && (
        <p class="quiet">
          Nothing yet: neither has the host noted anything, nor has the server written to stderr.
        </p>
      )}
      {known && known.lines.length > 0 && (
        <>
          <p class="quiet">
            {known.isCut ? `The last ${known.lines.length} lines, the newest first.` : 'The newest first.'}
          </p>
          <ol class="log" tabIndex={0} aria-label={`Log of ${name}`}>
            {known.lines.toReversed().map((line) => (
              <Line line={line} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Line({ line: { time, level, text, detail } }: { readonly line: ServerLogLine }) {
  return (
    <li>
      <span class="quiet">{time === undefined ? '' : shortTime(Date.parse(time))}</span>{' '}
      {level !== 'info' && <span class={`state ${tones[level] ?? 'quiet'}`}>{level} </span>}
      <HiddenText text={text} />
      {detail !== undefined && (
        <details>
          <summary>More</summary>
          <LongText text={detail} label="More of this line" />
        </details>
      )}
    </li>
  );
}
