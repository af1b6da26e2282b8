import { parseJson } from '../../core/documents/written-numbers.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { oneLine } from '../../tools/injection/compact.ts';
import { textOf } from '../../tools/result.ts';
import { visibleTools } from '../../tools/visible-tools.ts';
import { escapeMarkdown } from '../../core/text/escape-markdown.ts';
import type { RunCommand } from './command.ts';

/** Characters of a page: one message, with room for its formatting. */
const pageLength = 3_000;
const lineLength = 80;
const maxNearest = 3;

/** The agent's tools by module. `words`: a page number, a module, or a search query. */
export const showTools: RunCommand = async (words, { key, agent }, { agentFor, scopeFor, ...services }) => {
  const scope = { ...scopeFor(agentFor(agent)), channel: key.source };
  const snapshot = services.snapshot();
  const { domain } = visibleTools(snapshot, scope);
  if (domain.length === 0) return 'The agent has no tools.';
  if (/^\d*$/.test(words)) return pageOf(byModule(domain), Number(words || 1), '');
  const [module, page = '1'] = words.split(/\s+/);
  const own = domain.filter(({ source }) => source.module.toLowerCase() === module!.toLowerCase());
  if (own.length > 0 && /^\d+$/.test(page)) return pageOf(byModule(own), Number(page), `${module} `);
  const args = { queries: [words], limit: 10 };
  const result = await services.dispatch({ name: 'search_tools', args, scope, caller: key.source });
  if (result.error) return result.error.message;
  const found = foundIn(textOf(result));
  const lines = found.flatMap(({ name }) => {
    const tool = snapshot.find(name);
    return tool ? [lineOf(tool, `${tool.source.module}: ${tool.name}`)] : [];
  });
  // Without a letter it was meant as a page number, so no match can be relied on.
  const isSure = /\p{L}/u.test(words) && !found.some(({ nearest }) => nearest);
  if (lines.length > 0 && isSure) return lines.join('\n');
  const notFound = `No tool matches "${escapeMarkdown(oneLine(words, lineLength))}". /tools lists all of them.`;
  return lines.length === 0
    ? notFound
    : `${notFound} The nearest, which probably do something else:\n\n${lines.slice(0, maxNearest).join('\n')}`;
};

/** A heading for each module, then a line for each of its tools. */
function byModule(tools: readonly RegisteredTool[]): readonly (readonly string[])[] {
  const groups = Map.groupBy(tools, ({ source }) => source.module);
  return [...groups].map(([module, own]) => {
    const about = escapeMarkdown(oneLine(own[0]!.source.description ?? '', lineLength));
    const heading = `**${module}**${about === '' ? '' : ` – ${about}`}`;
    return [heading, ...own.map((tool) => lineOf(tool, tool.name))];
  });
}

const lineOf = ({ description }: RegisteredTool, name: string): string =>
  `- \`${name}\` – ${escapeMarkdown(oneLine(description, lineLength))}`;

/** A module that continues on the next page has its heading there as well. */
function pageOf(groups: readonly (readonly string[])[], pageNumber: number, which: string): string {
  const pages: string[] = [];
  let page = '';
  for (const [heading, ...lines] of groups) {
    let opening = `${heading}\n`;
    for (const line of lines) {
      if (page !== '' && page.length + opening.length + line.length > pageLength) {
        pages.push(page);
        page = '';
        opening = `${heading}\n`;
      }
      page += `${opening === '' || page === '' ? '' : '\n'}${opening}${line}\n`;
      opening = '';
    }
  }
  pages.push(page);
  const shown = pages[pageNumber - 1];
  if (shown === undefined) return `There is no page ${pageNumber}: ${pages.length} is the last.`;
  if (pages.length === 1) return shown;
  const next = pageNumber < pages.length ? ` Next: /tools ${which}${pageNumber + 1}` : '';
  return `${shown}\nPage ${pageNumber} of ${pages.length}.${next}`;
}

interface FoundTool {
  readonly name: string;
  /** Nothing matches, and this is one of the closest tools. */
  readonly nearest?: boolean;
}

/** Parses the result of search_tools: a list, preceded by a sentence when nothing matches. */
function foundIn(text: string): readonly FoundTool[] {
  const [, list] = /(?:^|\n)(\[\n[^]*)$/.exec(text) ?? [];
  return list === undefined ? [] : (parseJson(list) as readonly FoundTool[]);
}
