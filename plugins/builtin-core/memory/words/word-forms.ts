/** Irregular forms of common English words, which stemming doesn't unite. */
const families = `
  become became | begin began begun | break broke broken | bring brought | build built | buy bought | catch caught
  choose chose chosen | draw drew drawn | drink drank | drive drove driven | eat ate eaten | fall fell fallen
  feel felt | find found | fly flew flown | forget forgot forgotten | get got gotten | give gave given
  go went gone | grow grew grown | hear heard | hold held | keep kept | know knew known | leave left | lose lost
  make made | meet met | pay paid | ride rode ridden | run ran | say said | see saw seen | sell sold | send sent
  sing sang sung | sleep slept | speak spoke spoken | spend spent | swim swam swum | take took taken | teach taught
  tell told | think thought | throw threw thrown | wear wore worn | win won | write wrote written
  child children kid kids | foot feet | man men | mouse mice | person people | tooth teeth | wife wives | woman women
  mom mother mum | dad father | bike bicycle | photo picture`
  .split(/[|\n]/)
  .map((line) => line.trim().split(/\s+/))
  .filter((family) => family.length > 1);

const byForm = new Map(families.flatMap((family) => family.map((form) => [form, family] as const)));

/** The word and its other forms. */
export function formsOf(word: string): readonly string[] {
  return byForm.get(word) ?? byForm.get(word.replace(/(?:ing|es|s|ed)$/, '')) ?? [word];
}
