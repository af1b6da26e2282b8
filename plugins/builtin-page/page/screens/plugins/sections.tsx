import { memberAt } from 'pegboard/browser';
import type { Sections as Declared } from '../../../screens/wire.ts';
import { Cell, hasContent, type Column } from './cell.tsx';

/** Items of a list that are shown. */
const maxItems = 50;

/** What a command has printed, in the parts that the screen declares. Empty ones are left out. */
export function Sections({ sections, data }: { readonly sections: Declared; readonly data: unknown }) {
  return (
    <>
      {sections.map(({ title, member, columns }) => {
        const value = member === undefined ? data : memberAt(data, member);
        const items = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
        if (items.length === 0) return null;
        const only = columns.length === 1 ? columns[0] : undefined;
        return (
          <section>
            {title !== undefined && <h3>{title}</h3>}
            <ul class="rows entries">
              {items.slice(0, maxItems).map((item) => (
                <li>
                  {only ? (
                    <p>
                      <Cell row={item} column={only} whole />
                    </p>
                  ) : (
                    <Facts row={item} columns={columns} />
                  )}
                </li>
              ))}
            </ul>
            {items.length > maxItems && (
              <p class="quiet">And {(items.length - maxItems).toLocaleString()} more.</p>
            )}
          </section>
        );
      })}
    </>
  );
}

/** The members of one row, each with its title. */
export function Facts({ row, columns }: { readonly row: unknown; readonly columns: readonly Column[] }) {
  const shown = columns.filter((column) => hasContent(row, column));
  return (
    <dl class="facts">
      {shown.map((column) => (
        <div>
          <dt>{column.as === 'flag' ? '' : column.title}</dt>
          <dd>
            <Cell row={row} column={column} whole />
          </dd>
        </div>
      ))}
    </dl>
  );
}
