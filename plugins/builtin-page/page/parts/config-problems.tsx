import type { DiagnosticRow } from '../../wire.ts';
import { Words } from './words.tsx';

/** What is wrong with the configuration, and where. */
export const ConfigProblems = ({ problems }: { readonly problems: readonly DiagnosticRow[] }) => (
  <ul class="rows diagnostics">
    {problems.map(({ message, hint, path, line, column }) => (
      <li>
        <Words text={message} />
        {hint !== undefined && (
          <p>
            <Words text={hint} />
          </p>
        )}
        <p class="quiet mono">{[path, line, column].filter((part) => part !== undefined).join(':')}</p>
      </li>
    ))}
  </ul>
);
