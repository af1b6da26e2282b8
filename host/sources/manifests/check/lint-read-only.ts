import { networkProgramIn } from '../../../core/processes/network-programs.ts';
import type { ToolManifest } from '../manifest.ts';

/** Programs that change something, whatever they are given. */
const changing =
  /(?<![\w.-])(rm|rmdir|mv|cp|ln|mkdir|touch|tee|dd|shred|truncate|chmod|chown|install|patch|kill|pkill|killall|sudo|doas)(?![\w./-])/;

/** Reasons to doubt `readOnly: true`: it lets a tool run unasked after others' words were read. */
export function readOnlyDoubts({ written, action }: ToolManifest): readonly string[] {
  if (written.readOnly !== true) return [];
  const doubts: string[] = [];
  if (written.confirm === true) doubts.push('"confirm: true" asks before every run, so it hardly only reads');
  if (action.kind !== 'command') return doubts;
  const { template, command } = action;
  const literal = template.replaceAll(/\{\{.*?\}\}/gs, ' ');
  const program = changing.exec(literal)?.[1];
  if (program !== undefined) doubts.push(`"${program}" changes something`);
  if (/(?<![<>0-9&-])[0-9]?>>?(?!\s*(\/dev\/null\b|&))/.test(literal)) doubts.push('">" writes to a file');
  if (command.confirm) doubts.push('a parameter that is "unsafe: true" may do anything');
  const network = networkProgramIn(template);
  if (network !== undefined && template !== literal)
    doubts.push(`"${network}" sends what a model puts into its parameters to somebody else`);
  return doubts;
}
