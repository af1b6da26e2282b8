import { useState } from 'preact/hooks';
import type { JsonSchema } from 'pegboard/browser';
import { Field } from './field.tsx';
import { withMember } from './numbers.ts';
import { branchesOf, branchFor, propertiesOf, requiredOf, resolve } from './schema.ts';

/** What is wrong, by the JSON pointer of the field that it is about. */
export type Problems = ReadonlyMap<string, string>;

export interface FieldsProps {
  /** Resolved. */
  readonly schema: JsonSchema;
  /** What references are relative to. */
  readonly root: JsonSchema;
  readonly value: object;
  /** JSON pointer of `value`. */
  readonly at: string;
  readonly depth: number;
  readonly problems: Problems;
  readonly onChange: (value: object) => void;
}

/** The fields of an object, those that must be filled in first. */
export function Fields({ schema, ...rest }: FieldsProps) {
  const branches = branchesOf(schema, rest.root);
  return branches.length > 1 ? (
    <Variants {...rest} branches={branches} />
  ) : (
    <Members {...rest} schema={schema} />
  );
}

/** Several forms of an object: one of them is chosen, and what both have stays. */
function Variants({
  branches,
  ...rest
}: Omit<FieldsProps, 'schema'> & { readonly branches: ReturnType<typeof branchesOf> }) {
  const [chosen, setChosen] = useState(() => branchFor(rest.value, branches));
  const { schema } = branches[chosen]!;
  const choose = (at: number): void => {
    setChosen(at);
    const names = propertiesOf(branches[at]!.schema);
    const others = Object.keys(rest.value).filter((name) => !Object.hasOwn(names, name));
    rest.onChange(others.reduce((kept, name) => withMember(kept, name, { value: undefined }), rest.value));
  };
  return (
    <>
      <div class="switch wrap" role="group" aria-label="Form of the value">
        {branches.map(({ label }, at) => (
          <button type="button" aria-pressed={at === chosen} onClick={() => choose(at)}>
            {label}
          </button>
        ))}
      </div>
      <Members key={chosen} {...rest} schema={schema} />
    </>
  );
}

function Members({ schema, root, value, at, depth, problems, onChange }: FieldsProps) {
  const properties = propertiesOf(schema);
  const required = new Set(requiredOf(schema));
  const names = Object.keys(properties);
  const ordered = [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
  return (
    <>
      {ordered.map((name) => (
        <Field
          key={name}
          name={name}
          schema={resolve(properties[name], root)}
          root={root}
          holder={value}
          isRequired={required.has(name)}
          at={`${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}
          depth={depth}
          problems={problems}
          onChange={(entered) => onChange(withMember(value, name, entered))}
        />
      ))}
    </>
  );
}
