import { useId } from 'preact/hooks';
import type { JsonSchema } from 'pegboard/browser';
import { Fields, type Problems } from './fields.tsx';
import { Input } from './input.tsx';
import type { Entered } from './numbers.ts';
import { branchesOf, kindOf, limitsOf, propertiesOf } from './schema.ts';

/** Levels of objects that have fields; deeper ones are JSON. */
const maxDepth = 4;

interface FieldProps {
  readonly name: string;
  /** Resolved. */
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  /** The object that has the value, or will have it. */
  readonly holder: object;
  readonly isRequired: boolean;
  /** JSON pointer of the value. */
  readonly at: string;
  readonly depth: number;
  readonly problems: Problems;
  readonly onChange: (entered: Entered) => void;
}

/** A member of an object: its label, its input, what it means and what is wrong with it. */
export function Field(props: FieldProps) {
  const { name, schema, root, holder, isRequired, at, depth, problems, onChange } = props;
  const id = useId();
  const value = (holder as { readonly [name: string]: unknown })[name];
  const problem = problemAt(at, problems);
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  const hint = [description, limitsOf(schema)].filter((part) => part !== '').join(' · ');
  if (hasFields(schema, root, depth))
    return (
      <fieldset aria-describedby={`${id}-hint`}>
        <legend>
          <Name name={name} isRequired={isRequired} />
        </legend>
        <Hint id={id} hint={hint} problem={problems.get(at)} />
        <Fields
          schema={schema}
          root={root}
          value={typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}}
          at={at}
          depth={depth + 1}
          problems={problems}
          // An object without members is left out where it may be.
          onChange={(next) =>
            onChange({ value: Object.keys(next).length === 0 && !isRequired ? undefined : next })
          }
        />
      </fieldset>
    );
  return (
    <div class="field">
      <label for={id}>
        <Name name={name} isRequired={isRequired} />
      </label>
      <Input
        schema={schema}
        root={root}
        holder={holder}
        name={name}
        isRequired={isRequired}
        field={{
          id,
          'aria-invalid': problem !== undefined,
          'aria-describedby': `${id}-hint`,
          'aria-required': isRequired,
        }}
        onChange={onChange}
      />
      <Hint id={id} hint={hint} problem={problem} />
    </div>
  );
}

function hasFields(schema: JsonSchema, root: JsonSchema, depth: number): boolean {
  if (depth >= maxDepth) return false;
  const kind = kindOf(schema, root);
  if (kind !== 'variants') return kind === 'object';
  return branchesOf(schema, root).every((branch) => Object.keys(propertiesOf(branch.schema)).length > 0);
}

/** Of the value or of a part of it that has no field. */
function problemAt(at: string, problems: Problems): string | undefined {
  const own = problems.get(at);
  if (own !== undefined) return own;
  for (const [place, message] of problems) if (place.startsWith(`${at}/`)) return message;
  return undefined;
}

function Name({ name, isRequired }: { readonly name: string; readonly isRequired: boolean }) {
  return (
    <>
      <span class="mono">{name}</span> <span class="quiet">{isRequired ? 'required' : 'optional'}</span>
    </>
  );
}

interface HintProps {
  readonly id: string;
  readonly hint: string;
  readonly problem: string | undefined;
}

function Hint({ id, hint, problem }: HintProps) {
  return (
    <div class="hint" id={`${id}-hint`}>
      {hint}
      {problem !== undefined && <p class="wrong">{problem}</p>}
    </div>
  );
}
