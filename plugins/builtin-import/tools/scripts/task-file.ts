import { CORE_SCHEMA, load } from 'js-yaml';
import { asSentence, PegboardError } from 'pegboard';
import { listOf, type ManifestParameter, membersOf, messageOf, trimmedText } from 'pegboard/kit';
import { isPlainName, type FoundScript, type ScriptFile, type ScriptSource } from './found-script.ts';

/**
 * The tasks of a Taskfile, without internal ones. Variables that a task requires become parameters; Task pastes them into
 * its commands, so they count as program text.
 */
export function readTaskFile({ file, text, folder }: ScriptSource): ScriptFile {
  const document = membersOf(parsed(file, text));
  const scripts: FoundScript[] = [];
  const leftOut: { what: string; why: string }[] = [];
  for (const [name, written] of Object.entries(membersOf(document['tasks']))) {
    const task = membersOf(written);
    if (task['internal'] === true) continue;
    if (!isPlainName(name) || name.includes('*')) {
      leftOut.push({ what: `${file}: ${name}`, why: 'its name is a pattern, or would need quotes' });
      continue;
    }
    const parameters = listOf(membersOf(task['requires'])['vars']).flatMap(parameterOf);
    const words = parameters.map((one) => `${one.name}={{${one.name}}}`);
    scripts.push({
      name,
      description: trimmedText(task['desc']) || trimmedText(task['summary']).split('\n')[0] || undefined,
      command: [`task --dir ${folder} ${name}`, ...words].join(' '),
      ...(parameters.length > 0 && { parameters }),
    });
  }
  if (Object.keys(membersOf(document['includes'])).length > 0)
    leftOut.push({
      what: `${file}: includes`,
      why: 'tasks of other files are imported from their own folders',
    });
  return { file, scripts, leftOut };
}

function parameterOf(written: unknown): readonly ManifestParameter[] {
  const name = trimmedText(written) || trimmedText(membersOf(written)['name']);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return [];
  const allowed = listOf(membersOf(written)['enum']).filter((value) => typeof value === 'string');
  return [
    {
      name,
      type: 'string',
      description: `The variable ${name} of the task`,
      required: true,
      ...(allowed.length > 0 ? { enum: allowed } : { unsafe: true }),
    },
  ];
}

function parsed(file: string, text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, filename: file });
  } catch (cause) {
    throw new PegboardError('PEG_USAGE', `${file} is not valid YAML: ${asSentence(messageOf(cause))}`, {
      cause,
    });
  }
}
