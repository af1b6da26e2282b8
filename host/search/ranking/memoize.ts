/**
 * `make` that knows what it made before: words repeat, of half a million in 10,000 tools some 20,000 differ. It starts
 * anew when it knows `most`.
 */
export function memoize<Made>(make: (word: string) => Made, most = 50_000): (word: string) => Made {
  const known = new Map<string, Made>();
  return (word) => {
    let made = known.get(word);
    if (made === undefined) {
      if (known.size >= most) known.clear();
      made = make(word);
      known.set(word, made);
    }
    return made;
  };
}
