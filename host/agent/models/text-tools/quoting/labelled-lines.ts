/**
 * Lines that begin with a label: a speaker, a mail header, the time of a message. Two of them around a call make it part
 * of a transcript, in any language.
 */

import { weighHead } from './message-heads.ts';

/** One or two words before a colon, also bold or in brackets. */
const label =
  /^[ \t]*[*_#]{0,4}[ \t]*[[(<@]?(?<label>\p{L}[^\s:：*_<>()[\]{}"“”.!?。！？,，;]{0,29}(?:[ \t][^\s:：*_<>()[\]{}"“”.!?。！？,，;]{1,20})?)[\])>]?[*_]{0,3}[ \t ]?[:：](?![\d/\\])[*_]{0,3}/iu;
/** `<eve> hello` and `eve> hello`, as in IRC. */
const nick = /^[ \t]*<?[@+]?[\p{L}_][\p{L}\p{N}_-]{0,29}>[ \t]+\S/u;
/** A line of one or two words that is a heading or bold. */
const heading =
  /^[ \t]*(?:#{1,6}[ \t]+|\*\*(?=[^*]+\*\*[ \t]*$))(?<label>\p{L}[^\s*:：]{0,29}(?: [^\s*:：]{1,20})?)(?:\*\*)?[ \t]*$/u;
/** Lines that alone mark the following text as someone else's. */
const foreign = [
  // Chat roles.
  /^[ \t]*[*_#]{0,4}[ \t]*[[(<]?(?:user|human|system|customer|client|benutzer|nutzer|kunde|utilisateur|usuario|usuário|utente|gebruiker|пользователь|用户|使用者|ユーザー|사용자|المستخدم)[\])>]?[*_]{0,3}[ \t]?[:：]/iu,
  // The line above a quoted mail, in any language: a year, a time of day and a final colon.
  /^(?=.*\b\d{4}\b)(?=.*\d{1,2}[:.h]\d\d).*[:：][ \t]*$/u,
  // The line above a forwarded mail.
  /^[ \t]*[-_=*]{5,}[ \t]*\p{L}.*[-_=*]{5,}[ \t]*$/u,
  // Timestamp and name, as in chat logs.
  /^[ \t]*[[(<]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*[ \t]+[\p{L}_@][^\s.:：]*[ \t]*$/u,
];
/** Scripts without spaces between words. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const maxDenseLines = 8;

/** Labels of models' own thoughts and steps, which are not names. */
const own =
  /^(?:(?:my |the )?(?:thoughts?|reasoning|thinking|analysis|plan|goal|approach|strategy|task|todo|notes?|summary|status|action|tool|next|now|first|then|finally|ok(?:ay)?|sure)|(?:next |first |last )?steps?(?: \d+)?|tool call|function call|next (?:action|actions)|gedanken?|überlegung|ziel|vorgehen|aufgabe|hinweis|aktion|schritt(?: \d+)?|nächster schritt|pensée|réflexion|analyse|objectif|tâche|remarque|note|étape(?: \d+)?|pensamiento|análisis|objetivo|tarea|nota|acción|paso(?: \d+)?|pensamento|análise|tarefa|ação|passo(?: \d+)?|pensiero|ragionamento|analisi|piano|obiettivo|compito|azione|passo|мысль|план|цель|анализ|задача|примечание|действие|шаг(?: \d+)?|思考|想法|计划|計劃|目标|分析|任务|注意|行动|步骤\s?\d*|第.步|目的|計画|目標|手順\s?\d*|생각|계획|목표|분석|작업|단계\s?\d*)$/iu;

/** The weight from which lines are a transcript. */
export const weightOfTranscript = 2;

/** The weight of each line: 1 when it is labelled, 2 when it also has a time of day. */
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

/** Characters of a line in which its label must end. */
const maxLabelLength = 150;
const isItem = (line: string | undefined): boolean => /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]/.test(line ?? '');
