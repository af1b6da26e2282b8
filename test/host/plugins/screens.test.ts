import { expect, test } from 'vitest';
import { discoverPlugins } from '../../../host/plugins/loading/discover.ts';
import { createHome } from '../../kit/homes/home.ts';
import { gardenFiles } from '../../kit/web/garden.ts';

/** What is wrong with the screens of docs/screens.md once a part of them is another one. */
async function problemsOf(from: string, to: string): Promise<readonly string[]> {
  const files = gardenFiles((yaml) => {
    if (!yaml.includes(from)) throw new Error(`It has no ${from}`);
    return yaml.replace(from, to);
  });
  await using home = await createHome(files);
  const { diagnostics, manifests } = await discoverPlugins(home.path, {});
  expect(manifests.map(({ id }) => id)).not.toContain('garden');
  return diagnostics
    .filter(({ path }) => path?.endsWith('garden/plugin.yaml'))
    .map(({ message, line, hint }) => `${line}: ${message}${hint === undefined ? '' : ` (${hint})`}`);
}

test.for([
  [
    'command: garden show',
    'command: garden shwo',
    'declares no command "garden shwo" (garden shwo → garden show?)',
  ],
  ['command: garden show', 'command: memory forget', 'declares no command "memory forget"'],
  [
    'preview: true }\n          sections',
    'previw: true }\n          sections',
    'has no option "previw" (previw → preview?)',
  ],
  [
    'options: { preview: true }',
    "options: { preview: 'yes' }",
    '"preview" is a flag and takes no value (write true)',
  ],
  ["liters: '{liters}'", 'liters: true', '"liters" needs a value: N'],
  ["rain: '{rain}' }", "rain: '{snow}' }", 'nothing is called {snow} here (here is {row}, {liters}, {rain})'],
  [
    "words: ['{query}'], member",
    "words: ['{row}'], member",
    'nothing is called {row} here (here is {query})',
  ],
  ["rain: '{rain}' }", '}', 'the parameter "rain" is not used (write {rain} in words or options)'],
  [
    'kind: calendar',
    'kind: table',
    'only a screen of the kind calendar has "calendar" (write kind: calendar)',
  ],
  ['kind: graph', 'kind: calendar', 'a screen of the kind calendar needs "calendar"'],
  ['{ type: boolean, description', '{ type: array, description', 'a parameter of a screen is a single value'],
  ['as: state', 'as: colour', 'must be one of'],
  ['marks: { dry: bad', 'marks: { dry: red', 'must be one of'],
  ['question: Which plant', 'quesion: Which plant', 'quesion'],
  ['member: water.next', 'member: water..next', 'not the text "water..next"'],
  ['proof: true', 'proof: often', 'must be of type boolean'],
] as const)('in screens, %s → %s is refused at its place', async ([from, to, expected]) => {
  const problems = await problemsOf(from, to);
  expect(problems.join('\n')).toContain(expected);
  expect(problems.every((problem) => /^\d+: /.test(problem))).toBe(true);
});
