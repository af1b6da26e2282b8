/**
 * Lines that begin with a label: of who speaks, of a header of a mail, of the time of a message. Two of them around a call
 * make it a part of a transcript, in any language.
 */

import { weighHead } from './message-heads.ts';

/** One or two words before a colon, also bold or in brackets. */
const label =
  /^[ \t]*[*_#]{0,4}[ \t]*[[(<@]?(?<label>\p{L}[^\s:：*_<>()[\]{}"“”.!?。！？,，;]{0,29}(?:[ \t][^\s:：*_<>()[\]{}"“”.!?。！？,，;]{1,20})?)[\])>]?[*_]{0,3}[ \t ]?[:：](?![\d/\\])[*_]{0,3}/iu;
/** `<eve> hello` and `eve> hello`, as chats of the net have it. */
const nick = /^[ \t]*<?[@+]?[\p{L}_][\p{L}\p{N}_-]{0,29}>[ \t]+\S/u;
/** A line of one or two words that is a heading or bold. */
const heading =
  /^[ \t]*(?:#{1,6}[ \t]+|\*\*(?=[^*]+\*\*[ \t]*$))(?<label>\p{L}[^\s*:：]{0,29}(?: [^\s*:：]{1,20})?)(?:\*\*)?[ \t]*$/u;
/** Lines that alone say that what follows is somebody else's. */
const foreign = [
  // Who speaks, by the roles of chats.
  /^[ \t]*[*_#]{0,4}[ \t]*[[(<]?(?:user|human|system|customer|client|benutzer|nutzer|kunde|utilisateur|usuario|usuário|utente|gebruiker|пользователь|用户|使用者|ユーザー|사용자|المستخدم)[\])>]?[*_]{0,3}[ \t]?[:：]/iu,
  // Over a quoted mail, in any language: a line to a colon with a year and a time of day.
  /^(?=.*\b\d{4}\b)(?=.*\d{1,2}[:.h]\d\d).*[:：][ \t]*$/u,
  // Over a forwarded one.
  /^[ \t]*[-_=*]{5,}[ \t]*\p{L}.*[-_=*]{5,}[ \t]*$/u,
  // A moment and a name, as logs of chats have it.
  /^[ \t]*[[(<]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*[ \t]+[\p{L}_@][^\s.:：]*[ \t]*$/u,
];
/** Languages that put no space between words. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const maxDenseLines = 8;

/** What models put before their own thoughts and steps. No one is called so. */
const own =
  /^(?:(?:my |the )?(?:thoughts?|reasoning|thinking|analysis|plan|goal|approach|strategy|task|todo|notes?|summary|status|action|tool|next|now|first|then|finally|ok(?:ay)?|sure)|(?:next |first |last )?steps?(?: \d+)?|tool call|function call|next (?:action|actions)|gedanken?|überlegung|ziel|vorgehen|aufgabe|hinweis|aktion|schritt(?: \d+)?|nächster schritt|pensée|réflexion|analyse|objectif|tâche|remarque|note|étape(?: \d+)?|pensamiento|análisis|objetivo|tarea|nota|acción|paso(?: \d+)?|pensamento|análise|tarefa|ação|passo(?: \d+)?|pensiero|ragionamento|analisi|piano|obiettivo|compito|azione|passo|мысль|план|цель|анализ|задача|примечание|действие|шаг(?: \d+)?|思考|想法|计划|計劃|目标|分析|任务|注意|行动|步骤\s?\d*|第.步|目的|計画|目標|手順\s?\d*|생각|계획|목표|분석|작업|단계\s?\d*)$/iu;

/** Two or more say that these lines are somebody's. */
export const weightOfTranscript = 2;

/** How much of a transcript each line is: 1 where it is labelled, 2 where it has a time of day as well. */
export function weighLabels(lines: readonly string[]): number[] {
  return lines.map((line, index) => {
    const start = line.slice(0, maxLabelLength);
    if (foreign.some((pattern) => pattern.test(start))) return weightOfTranscript;
    const time = weighHead(start, isLabelled);
    if (time > 0) return time;
    const found = label.exec(start) ?? heading.exec(start);
    if (!found) return nick.test(start) ? 1 : 0;
    const said = found.groups!['label']!;
    if (own.test(said.trim()) || (dense.test(said) && said.length > maxDenseLines)) return 0;
    const headsList =
      found[0].length === line.trimEnd().length && isItem(lines[index + 1] || lines[index + 2]);
    return headsList ? 0 : 1;
  });
}

const isLabelled = (text: string): boolean => {
  const said = label.exec(text)?.groups!['label'];
  return said === undefined ? nick.test(text) : !own.test(said.trim());
};

/** Characters of a line in which its label ends. */
const maxLabelLength = 150;
const isItem = (line: string | undefined): boolean => /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]/.test(line ?? '');
